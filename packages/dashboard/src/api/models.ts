/* The shapes of the API by short names. */
import type { components } from "./schema.d.ts";

type Schemas = components["schemas"];

export type Environment = Schemas["Environment"];
export type AccessRole = Schemas["AccessRole"];
export type Access = Schemas["Access"];
export type Person = Schemas["Person"];
export type SessionAnswer = Schemas["SessionAnswer"];
/** The answer of `GET session` where an application that embeds the service signs people in. */
export type { PrincipalAnswer } from "@procedo/contract";
export type Run = Schemas["Run"];
export type RunSummary = Schemas["RunSummary"];
export type RunStatus = Schemas["RunStatus"];
export type RunStep = Schemas["RunStep"];
export type RunTimelineStep = Schemas["RunTimelineStep"];
export type Review = Schemas["Review"];
export type ReviewSummary = Schemas["ReviewSummary"];
export type ProcedureSummary = Schemas["ProcedureSummary"];
export type Procedure = Schemas["Procedure"];
export type Version = Schemas["Version"];
export type Connection = Schemas["Connection"];
export type ListedConnection = Schemas["ListedConnection"];
export type Integration = Schemas["Integration"];
export type Action = Schemas["Action"];
export type Webhook = Schemas["Webhook"];
export type Delivery = Schemas["Delivery"];
export type DeliveryDetails = Schemas["DeliveryDetails"];
export type Trigger = Schemas["Trigger"];
export type TriggerSource = Schemas["TriggerSource"];
export type Firing = Schemas["Firing"];
