import { ProcedoError, type JsonValue } from "@procedo/contract";
import { readJsonText, type JsonText, type Problem } from "@procedo/procedure";
import { readText } from "./read-input.ts";

/** A procedure's document in a file. */
export interface DocumentFile {
  /** The text as an editor shows it. */
  readonly name: string;
  /** The parsed document; `undefined` when the text cannot be parsed. */
  readonly value: JsonValue | undefined;
  readonly text: JsonText;
}

/**
 * @param path `-` for standard input
 * @throws ProcedoError `invalid_input` when the file cannot be read
 */
export async function readDocumentFile(path: string, stdin: AsyncIterable<Uint8Array>): Promise<DocumentFile> {
  const text = readJsonText(await readText(path, stdin));
  return { name: path === "-" ? "<stdin>" : path, value: text.value, text };
}

/** The syntax errors of the text and the problems of the document, in the order of the text. */
export function allProblems({ text }: DocumentFile, problems: readonly Problem[]): readonly Problem[] {
  return [...text.problems, ...text.place(problems)].sort(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

/** The problems of a refused document, each with its line and column. */
export function refused(file: DocumentFile, problems: readonly Problem[]): ProcedoError {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const details = problems.map((problem) => ({ path: placeOf(file, problem), message: messageOf(problem) }));
  return new ProcedoError("invalid_document", `"${file.name}" has ${count}.`, { details });
}

/** Runs `work` and reports the problems of a refused document with the lines and columns of the file. */
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

/** A problem in the format of compilers, which editors and CI turn into a link, followed by the source line. */
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

/** Maximum number of shown characters of a line. A line may hold the whole document. */
const shownWidth = 100;

/** A line with a caret under a column of it. */
function quoted(text: string, line: number, column: number): readonly string[] {
  const from = column > shownWidth - 20 ? column - shownWidth / 2 : 0;
  const part = text.slice(from, from + shownWidth).replaceAll("\t", " ");
  const margin = String(line).padStart(5);
  return [`${margin} | ${part}`, `${" ".repeat(margin.length)} | ${" ".repeat(Math.max(0, column - 1 - from))}^`];
}
