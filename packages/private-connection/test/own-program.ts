import { createPrivateConnection } from "../src/index.ts";
import { slow } from "./served-functions.ts";

// A minimal program, which does not handle the end of its connection.
void createPrivateConnection({ functions: [slow] }).start();
