/** The name that a person is offered for the next version: the newest with its last number raised. */
export function nextVersionName(newest: string | undefined, taken: ReadonlySet<string>): string {
  const [, start = "", digits = "0", end = ""] = /^(.*?)(\d{1,9})(\D*)$/.exec(newest ?? "") ?? [];
  const base = newest !== undefined && start === "" && digits === "0" ? `${newest}-` : start;
  let number = Number(digits) + 1;
  while (taken.has(`${base}${number}${end}`)) number += 1;
  return `${base}${number}${end}`;
}
