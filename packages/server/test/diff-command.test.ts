import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { payment } from "./bank.ts";
import { fileWith, makePlace, procedo, procedoJson, startProcess, withEngine, type Place } from "./server-process.ts";

let place: Place;

beforeAll(async () => {
  place = makePlace();
  // The first start creates the data.
  const server = await startProcess(place);
  server.kill("SIGTERM");
  await server.ended;
});

afterAll(() => place.remove());

const one = (procedureId: string) => ({ ...payment, procedureId });
/** The payment with another name, and another argument of its call. */
const two = (procedureId: string) => ({
  ...one(procedureId),
  name: "Payment of cents",
  nodes: payment.nodes.map((node) =>
    node.id === "pay" ? { ...node, arguments: { sum: "{{ input.sum * 100 }}" } } : node,
  ),
});
const changes = [
  '- Name: changed from "Payment" to "Payment of cents".',
  '- Node "pay", arguments.sum: changed from "{{ input.sum }}" to "{{ input.sum * 100 }}".',
];

const publish = (document: object, version: string, ...flags: readonly string[]) =>
  procedo(place, "procedures", "publish", fileWith(place, "payment.json", document), "--version", version, ...flags);

const diff = (...argv: readonly string[]) => procedo(place, "procedures", "diff", ...argv);

const saveDraft = (procedureId: string, document: object): Promise<void> =>
  withEngine(place, async (engine) => {
    const draft = { procedureId, document: document as never, revision: 0, by: { person: "ana" } };
    await engine.procedures.saveDraft(draft);
  });

describe("procedures diff", () => {
  test("prints the changes from the version before, or from the named one", async () => {
    for (const [version, document] of Object.entries({ a: one("versions"), b: two("versions"), c: one("versions") })) {
      expect(await publish(document, version)).toMatchObject({ code: 0 });
    }
    const later = ['Changes from version "a" to version "b":', ...changes, ""].join("\n");
    expect(await diff("versions", "--to", "b")).toEqual({ code: 0, out: later, err: "" });
    expect(await diff("versions", "--from", "a", "--to", "b")).toMatchObject({ code: 0, out: later });
    expect((await diff("versions")).out).toContain('Changes from version "b" to version "c":');
    expect((await diff("versions", "--from", "a")).out).toBe('No changes from version "a" to version "c".\n');
  });

  test("compares the newest version with the draft, if there is one", async () => {
    await publish(one("drafted"), "1");
    await saveDraft("drafted", two("drafted"));
    const expected = { code: 0, out: ['Changes from version "1" to the draft:', ...changes, ""].join("\n") };
    expect(await diff("drafted")).toMatchObject(expected);
    expect(await diff("drafted", "--to", "draft")).toMatchObject(expected);
  });

  test("prints the changes as JSON, each with its pointer, both values and its sentence", async () => {
    await publish(one("as-json"), "1");
    await publish({ ...two("as-json"), name: "Payment" }, "2");
    expect(await procedoJson(place, "procedures", "diff", "as-json")).toEqual({
      procedureId: "as-json",
      from: "1",
      to: "2",
      changes: [
        {
          kind: "member_changed",
          path: "/nodes/1/arguments/sum",
          nodeId: "pay",
          before: "{{ input.sum }}",
          after: "{{ input.sum * 100 }}",
          sentence: changes[1]?.slice(2),
        },
      ],
    });
  });

  test("says what is missing: an earlier version, a version, the draft, the procedure", async () => {
    await publish(one("alone"), "1");
    const refused = async (...argv: readonly string[]) => {
      const { code, err } = await diff(...argv);
      expect(code).toBe(1);
      return err;
    };
    expect(await refused("alone")).toContain('No version of "alone" was published before version "1".');
    expect(await refused("alone", "--to", "7")).toContain('There is no version "7"');
    expect(await refused("alone", "--from", "7", "--to", "1")).toContain('There is no version "7"');
    expect(await refused("alone", "--to", "draft")).toContain("There is no draft");
    expect(await refused("unknown")).toContain("procedure_not_found");
    await saveDraft("only-draft", one("only-draft"));
    expect(await refused("only-draft")).toContain("was published before the draft");
  });

  test("refuses a draft without the form of a document, with the places", async () => {
    await publish(one("malformed"), "1");
    await saveDraft("malformed", { ...one("malformed"), nodes: "none" });
    const { code, err } = await diff("malformed");
    expect(code).toBe(1);
    expect(err).toContain('The draft of "malformed" does not have the form of a document.');
    expect(err).toMatch(/^ {2}\/nodes: /m);
  });

  test("prints texts of documents on one line, where they cannot move the cursor", async () => {
    await publish(one("printed"), "1");
    await publish({ ...one("printed"), name: "Payment\u202e\u001b[2J\n- Nothing changed." }, "2");
    const { out } = await diff("printed");
    expect(out.trimEnd().split("\n")).toHaveLength(2);
    expect(out).not.toMatch(/[\u202e\u001b]/);
  });
});

test("procedures publish prints the changes from each default that it replaces, otherwise from the newest version", async () => {
  const [first, second] = [one("published"), two("published")];
  expect((await publish(first, "1", "--default", "live")).out).toBe('Version "1" of published was published.\n');
  const between = ['Changes from version "1" to version "2":', ...changes, ""].join("\n");
  expect((await publish(second, "2")).out).toContain(between);
  expect((await publish(second, "3", "--default", "sandbox")).out).toContain('No changes from version "2"');
  const both = await publish(second, "4", "--default", "sandbox,live");
  expect(both.out).toContain('No changes from version "3" to version "4".\nChanges from version "1" to version "4":');
  const again = await publish(second, "4", "--default", "sandbox,live");
  expect(again.out).toBe('Version "4" of published was already published with the same document.\n');
});
