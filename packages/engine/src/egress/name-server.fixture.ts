import { createSocket } from "node:dgram";
import { onTestFinished } from "vitest";

/** A name server's answer: addresses, an alias of the name itself, no such name, a failure, or none (`silent`). */
export type NameAnswer = readonly string[] | "alias" | "no_such_name" | "fails" | "silent";

/** A real name server over UDP on this machine. */
export interface NameServer {
  /** `address:port` */
  readonly address: string;
  /** Each question received, as `A name` or `AAAA name`. */
  readonly questions: readonly string[];
  /** Resolves when this question was received. */
  received(question: string): Promise<void>;
}

const types = { 1: "A", 28: "AAAA" } as const;
const codes = { alias: 0, fails: 2, no_such_name: 3 } as const;

/** Listens until the test ends. */
export async function nameServer(answer: (name: string, type: "A" | "AAAA") => NameAnswer): Promise<NameServer> {
  const questions: string[] = [];
  const waiting = new Map<string, () => void>();
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, end } = readName(query, 12);
    const type = types[query.readUInt16BE(end) as keyof typeof types];
    const question = `${type} ${name}`;
    questions.push(question);
    waiting.get(question)?.();
    const given = answer(name, type);
    if (given !== "silent") socket.send(reply(query.subarray(0, end + 4), type, given), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void socket.close(() => resolve())));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    received: (question) =>
      questions.includes(question) ? Promise.resolve() : new Promise((resolve) => waiting.set(question, resolve)),
  };
}

function reply(question: Buffer, type: "A" | "AAAA", given: Exclude<NameAnswer, "silent">): Buffer {
  const addresses = typeof given === "string" ? [] : given.filter((one) => one.includes(":") === (type === "AAAA"));
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | (typeof given === "string" ? codes[given] : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 8);
  const ofAddresses = addresses.map((address) =>
    type === "A" ? { code: 1, data: ipv4(address) } : { code: 28, data: ipv6(address) },
  );
  const all = given === "alias" ? [{ code: 5, data: Buffer.from([0xc0, 0x0c]) }] : ofAddresses;
  head.writeUInt16BE(all.length, 6);
  const records = all.map(({ code, data }) => {
    const record = Buffer.alloc(12 + data.length);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(code, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(60, 6);
    record.writeUInt16BE(data.length, 10);
    data.copy(record, 12);
    return record;
  });
  return Buffer.concat([head, ...records]);
}

function readName(message: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

const ipv4 = (address: string): Buffer => Buffer.from(address.split(".").map(Number));

function ipv6(address: string): Buffer {
  const [before = "", after = ""] = address.split("::");
  const groups = (part: string): number[] => (part === "" ? [] : part.split(":").map((group) => parseInt(group, 16)));
  const [first, last] = [groups(before), groups(after)];
  const bytes = Buffer.alloc(16);
  first.forEach((group, index) => bytes.writeUInt16BE(group, index * 2));
  last.forEach((group, index) => bytes.writeUInt16BE(group, 16 - (last.length - index) * 2));
  return bytes;
}
