import { essenceOf } from "./media-type-essence.ts";

/** Common texts in place of a media type, with the type that they mean. */
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
  // No service accepts a form under these types, which borrow the subtype of a form.
  ["application/form-data", "multipart/form-data"],
  ["application/multipart-form-data", "multipart/form-data"],
  ["application/form-urlencoded", "application/x-www-form-urlencoded"],
  ["application/x-form-urlencoded", "application/x-www-form-urlencoded"],
  ["application/www-form-urlencoded", "application/x-www-form-urlencoded"],
  ["octet-stream", "application/octet-stream"],
  ["binary", "application/octet-stream"],
  ["*", "*/*"],
]);

/**
 * Expands a common short or wrong name of a media type (`JSON`) and keeps its parameters. Other texts stay unchanged.
 */
export function mediaTypeInFull(written: string): string {
  const essence = essenceOf(written);
  const full = meant.get(essence);
  if (full === undefined) return written;
  const parameters = written.indexOf(";");
  return full + (parameters === -1 ? "" : written.slice(parameters));
}
