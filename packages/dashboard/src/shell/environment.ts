import { createContext, use } from "react";
import type { Environment } from "../api/models.ts";

export const EnvironmentContext = createContext<Environment | undefined>(undefined);

/** The environment of the page, which is a part of its address. */
export function useEnvironment(): Environment {
  const environment = use(EnvironmentContext);
  if (environment === undefined) throw new Error("The page belongs to no environment.");
  return environment;
}

export const environmentNames: Readonly<Record<Environment, string>> = { sandbox: "Sandbox", live: "Live" };

export function isEnvironment(text: string): text is Environment {
  return text === "sandbox" || text === "live";
}

const storageKey = "procedo.environment";

/** The environment that was open last in this browser. */
export function lastEnvironment(): Environment {
  const stored = localStorage.getItem(storageKey) ?? "";
  return isEnvironment(stored) ? stored : "sandbox";
}

export function rememberEnvironment(environment: Environment): void {
  localStorage.setItem(storageKey, environment);
}

/** The label of a button that writes. In live it names the environment. */
export function writeLabel(label: string, environment: Environment): string {
  return environment === "live" ? `${label} Live` : label;
}
