import { essenceOf } from "./media-types.ts";

/** What documents write where a media type belongs, and mean one of these. */
const meant: ReadonlyMap<string, string> = new Map([
  ["json", "application/json"],
  ["applicationjson", "application/json"],
  ["xml", "application/xml"],
  ["applicationxml", "application/xml"],
  ["text", "text/plain"],
  ["plain", "text/plain"],
  ["txt", "text/plain"],
  ["textplain", "text/plain"],
  ["html", "text/html"],
  ["csv", "text/csv"],
  ["yaml", "application/yaml"],
  ["pdf", "application/pdf"],
  ["zip", "application/zip"],
  ["xls", "application/vnd.ms-excel"],
  ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["form", "application/x-www-form-urlencoded"],
  ["x-www-form-urlencoded", "application/x-www-form-urlencoded"],
  ["form-urlencoded", "application/x-www-form-urlencoded"],
  ["urlencoded", "application/x-www-form-urlencoded"],
  ["form-data", "multipart/form-data"],
  ["formdata", "multipart/form-data"],
  ["multipart", "multipart/form-data"],
  ["octet-stream", "application/octet-stream"],
  ["binary", "application/octet-stream"],
  ["*", "*/*"],
]);

/** The media type that a usual short name stands for (`JSON`), with the parameters that are written; anything else as it is. */
export function mediaTypeInFull(written: string): string {
  const essence = essenceOf(written);
  const full = essence.includes("/") ? undefined : meant.get(essence);
  if (full === undefined) return written;
  const parameters = written.indexOf(";");
  return full + (parameters === -1 ? "" : written.slice(parameters));
}
