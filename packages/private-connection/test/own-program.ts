import { createPrivateConnection } from "../src/index.ts";
import { slow } from "./served-functions.ts";

// A program that does nothing about the end of its connection, as the shortest one would.
void createPrivateConnection({ functions: [slow] }).start();
