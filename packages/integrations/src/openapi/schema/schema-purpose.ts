/** `request`: members that are readOnly are left out. `response`: writeOnly ones, and what only describes. */
export type SchemaPurpose = "request" | "response";
