import { execFile } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";

/** Bodies per second. */
export interface VerifierFigures {
  readonly own: number;
  /** The rate of `createHmac` and `JSON.parse` alone. */
  readonly ceiling: number;
}

/** Runs `webhook-verifier.ts` in a fresh process and parses its output line. */
export async function measureVerifier(built: boolean): Promise<VerifierFigures> {
  const condition = built ? [] : ["--conditions=@procedo/source"];
  const script = path.join(import.meta.dirname, "..", "webhook-verifier.ts");
  const printed = await promisify(execFile)(process.execPath, [...condition, script]).catch((error: unknown) => {
    // Below its floor it exits with code 1, but has printed its figures.
    if (error instanceof Error && "stdout" in error && error.stdout !== "") return { stdout: String(error.stdout) };
    throw error;
  });
  return readVerifierLine(printed.stdout);
}

/** @throws Error if the line has another form */
export function readVerifierLine(line: string): VerifierFigures {
  const found = /: (\d+) verified\/s, (\d+\.\d+) of /.exec(line);
  if (found === null) throw new Error(`The verifier printed something else than its figures: ${line}`);
  const own = Number(found[1]);
  return { own, ceiling: own / Number(found[2]) };
}
