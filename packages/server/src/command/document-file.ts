import { ProcedoError, type JsonValue } from "@procedo/contract";
import { readJsonText, type JsonText, type Problem } from "@procedo/procedure";
import { readText } from "./read-input.ts";

/** A procedure's document in a file. */
export interface DocumentFile {
  /** As an editor finds it. */
  readonly name: string;
  /** What is meant by its text; `undefined` where it cannot be told. */
  readonly value: JsonValue | undefined;
  readonly text: JsonText;
}

/** @param path `-` for standard input @throws ProcedoError `invalid_input` when it cannot be read */
export async function readDocumentFile(path: string, stdin: AsyncIterable<Uint8Array>): Promise<DocumentFile> {
  const text = readJsonText(await readText(path, stdin));
  return { name: path === "-" ? "<stdin>" : path, value: text.value, text };
}

/** The faults of the text and the problems of what is meant by it, in the order of the text. */
export function allProblems({ text }: DocumentFile, problems: readonly Problem[]): readonly Problem[] {
  return [...text.problems, ...text.place(problems)].sort(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

/** What is refused of a document, each place with its line and column. */
export function refused(file: DocumentFile, problems: readonly Problem[]): ProcedoError {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const details = problems.map((problem) => ({ path: placeOf(file, problem), message: messageOf(problem) }));
  return new ProcedoError("invalid_document", `"${file.name}" has ${count}.`, { details });
}

/** Lets work on a document report what it refuses by the file's lines and columns. */
export async function inFile<T>(file: DocumentFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!ProcedoError.isError(error) || error.code !== "invalid_document") throw error;
    const details = error.details.map((detail) => {
      const position = file.text.positionOf(detail.path);
      return { path: placeOf(file, position), message: messageOf(detail) };
    });
    throw new ProcedoError(error.code, error.message, { details, cause: error });
  }
}

/** A problem as compilers print it, which editors and CI make a link of, and the line that it is in. */
export function describeProblem(file: DocumentFile, problem: Problem): readonly string[] {
  const head = `${placeOf(file, problem)}: ${problem.severity}: ${messageOf(problem)}`;
  const { line, column } = problem;
  return line === undefined || column === undefined
    ? [head]
    : [head, ...quoted(file.text.lines.line(line), line, column)];
}

function placeOf({ name }: DocumentFile, { line = 1, column = 1 }: Pick<Problem, "line" | "column">): string {
  return `${name}:${line}:${column}`;
}

function messageOf({ message, nodeId }: Pick<Problem, "message"> & { readonly nodeId?: string | undefined }): string {
  return nodeId === undefined || message.includes(`"${nodeId}"`) ? message : `${message} (node "${nodeId}")`;
}

/** Characters that are shown of a line, which may be a whole document. */
const shownWidth = 100;

/** A line with a caret under a column of it. */
function quoted(text: string, line: number, column: number): readonly string[] {
  const from = column > shownWidth - 20 ? column - shownWidth / 2 : 0;
  const part = text.slice(from, from + shownWidth).replaceAll("\t", " ");
  const margin = String(line).padStart(5);
  return [`${margin} | ${part}`, `${" ".repeat(margin.length)} | ${" ".repeat(Math.max(0, column - 1 - from))}^`];
}
