import type { JsonObject, Run, SyncRunReply } from "@procedo/contract";

/**
 * Types of a procedure's input and output. They are the caller's claims: the service checks input against the
 * procedure's schema.
 */
export interface ProcedureTypes {
  /** Type of a run's `data`. */
  readonly input: object;
  /** Type of a completed run's output. */
  readonly output: object;
}

/** The types of procedures by their ids. */
export type ProcedureMap = Readonly<Record<string, ProcedureTypes>>;

/** Any procedure, untyped. */
export type AnyProcedures = Readonly<
  Record<
    string,
    {
      /** Type of a run's `data`: any JSON object. */
      readonly input: JsonObject;
      /** Type of a completed run's output: any JSON object. */
      readonly output: JsonObject;
    }
  >
>;

/** A run whose output, once there is one, has a type. */
export type RunOf<Output> = WithOutput<Run, Output>;

/** Outcome of a synchronous run. `timeout` and `awaiting_review` are not final: the run continues. */
export type RunReplyOf<Output> = WithOutput<SyncRunReply, Output>;

/** The same union with another type of output. */
type WithOutput<Union, Output> = Union extends { readonly output: JsonObject }
  ? Omit<Union, "output"> & { readonly output: Output }
  : Union;
