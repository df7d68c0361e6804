import type { Settings } from "./settings.ts";

/** All secrets of the settings: the master key in each of its encodings, passwords, tokens and keys. Pure. */
export function secretsOf({ masterKey, databaseUrl, metricsToken, models, oidc }: Settings): readonly string[] {
  const key = masterKey === undefined ? undefined : Buffer.from(masterKey);
  const spelled = key === undefined ? [] : [key.toString("hex"), key.toString("base64"), key.toString("base64url")];
  const password = databaseUrl === undefined ? "" : new URL(databaseUrl).password;
  const others = [metricsToken ?? "", oidc?.clientSecret ?? "", ...Object.values(models.keys)];
  return [...spelled, password, decoded(password), ...others].filter((secret) => secret !== "");
}

function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
