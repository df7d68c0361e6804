/**
 * A clock that goes back by less is not taken for one that was set back, and a wait that ends sooner is left as it is. No
 * lease of a call or a delivery is longer: those that were given since the clock was set back are left.
 */
export const clockToleranceMs = 120_000;
