/**
 * Reads one document in its own thread. The input is a {@link DocumentRequest} in the thread's data, the output a
 * {@link WorkerAnswer} message.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { ImportProblem } from "../openapi/imported-api.ts";
import type { OperationChanges } from "../openapi/compare-operations.ts";
import { packApi, type PackedApi } from "./packed-operations.ts";
import { readOperations, type DocumentRequest } from "./read-operations.ts";

export type WorkerAnswer =
  | { readonly ok: true; readonly api: PackedApi; readonly changes: OperationChanges | undefined }
  | { readonly ok: false; readonly problems: readonly ImportProblem[] };

const read = readOperations(workerData as DocumentRequest);
if (read.ok) {
  const answer: WorkerAnswer = { ...read, api: packApi(read.api) };
  parentPort?.postMessage(answer, [answer.api.bytes.buffer, answer.api.offsets.buffer]);
} else parentPort?.postMessage(read);
