import { essenceOf } from "./media-type-essence.ts";

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
  // No service reads a form under these, whose subtype is that of a form.
  ["application/form-data", "multipart/form-data"],
  ["application/multipart-form-data", "multipart/form-data"],
  ["application/form-urlencoded", "application/x-www-form-urlencoded"],
  ["application/x-form-urlencoded", "application/x-www-form-urlencoded"],
  ["application/www-form-urlencoded", "application/x-www-form-urlencoded"],
  ["octet-stream", "application/octet-stream"],
  ["binary", "application/octet-stream"],
  ["*", "*/*"],
]);

/** The media type that a usual short or wrong name stands for (`JSON`), with its parameters; anything else as it is. */
export function mediaTypeInFull(written: string): string {
  const essence = essenceOf(written);
  const full = meant.get(essence);
  if (full === undefined) return written;
  const parameters = written.indexOf(";");
  return full + (parameters === -1 ? "" : written.slice(parameters));
}
