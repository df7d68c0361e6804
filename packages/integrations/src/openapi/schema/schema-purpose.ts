/** `request` leaves out readOnly members. `response` leaves out writeOnly members and descriptions. */
export type SchemaPurpose = "request" | "response";
