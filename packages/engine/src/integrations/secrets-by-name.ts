/** A connection's secrets by name, in the clear. */
export interface Secrets {
  readonly [name: string]: string;
}
