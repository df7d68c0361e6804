import type { Ajv, Format } from "ajv";

const time = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?$/;

/** Formats of the OpenAPI format registry that the library lacks, and `time-short`, which is `10:30`. */
export function addRegisteredFormats(ajv: Ajv): void {
  const isDate = ajv.formats["date"];
  ajv.addFormat(
    "date-time-local",
    (text: string) => text[10] === "T" && fits(isDate, text.slice(0, 10)) && time.test(text.slice(11)),
  );
  ajv.addFormat("time-local", time);
  ajv.addFormat("time-short", /^(?:[01]\d|2[0-3]):[0-5]\d$/);
  ajv.addFormat("base64url", isBase64Url);
}

function fits(format: Format | undefined, text: string): boolean {
  if (typeof format === "function") return format(text);
  if (format instanceof RegExp) return format.test(text);
  if (typeof format !== "object" || format.async === true || format.type === "number") return true;
  return fits(format.validate as Format, text);
}

/** RFC 4648, section 5. Padding may be left out. */
function isBase64Url(text: string): boolean {
  if (!/^[\w-]*={0,2}$/.test(text)) return false;
  return text.endsWith("=") ? text.length % 4 === 0 : text.length % 4 !== 1;
}
