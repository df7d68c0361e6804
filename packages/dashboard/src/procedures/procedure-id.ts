const longest = 128;
const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The id that is proposed for a procedure: the words of its name. */
export function procedureIdFor(name: string): string {
  const words =
    name
      .normalize("NFKD")
      .replaceAll(/\p{Mark}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, longest).replace(/-$/, "");
}

/** Why a text cannot be the id of a procedure; `undefined` if it can. */
export function whyNotProcedureId(id: string): string | undefined {
  if (id === "") return "Enter an id.";
  if (id.length > longest) return `An id has at most ${longest} characters.`;
  return pattern.test(id) ? undefined : "An id begins with a letter or digit and has letters, digits, . _ - only.";
}
