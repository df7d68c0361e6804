import { createMemoryStorage } from "@procedo/storage";
import { agentReloads } from "./agent-reloads.ts";

agentReloads((now) => createMemoryStorage({ now }));
