import * as z from "zod";

/** Identifier that the service gave out. */
export const idSchema = z.string().min(1).max(128);

export const runIdSchema = idSchema.meta({ description: "Identifier of the run." });

/** A connection's name, by which documents refer to it; unique within its environment. */
export const connectionNameSchema = z.string().min(1).max(128);

export const actionNameSchema = z.string().min(1).max(256);

const name = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const nameMessage = "must begin with a letter or digit and hold letters, digits, . _ - only";

/** Schema of a procedure's id. */
export const procedureIdSchema = z.string().max(128).regex(name, nameMessage);

/** Schema of a version's name, such as `v3`. */
export const versionNameSchema = procedureIdSchema;

/** The name behind `custom.` of an event that a step emits. */
export const customEventNameSchema = z.string().max(64).regex(name, nameMessage);

/** Node ids stand in expressions (`nodes.vendor.output`), so they are identifiers. */
export const nodeIdSchema = z
  .string()
  .max(64)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must begin with a letter or _ and hold letters, digits and _ only");
