import { forgetful, slow } from "./served-functions.ts";

export { slow };

/** A function that is exported twice is registered once. */
const functions = [slow, forgetful];
export default functions;
