/** What the address of the page says about the run to start. */
export interface StartRunSearch {
  readonly procedure?: string;
  readonly version?: string;
  /** The run whose input is taken over. */
  readonly from?: string;
}
