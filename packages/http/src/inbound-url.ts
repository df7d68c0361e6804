/** The URL of an inbound address of a connection or a trigger, such as `in_live_…`, as other services reach it. */
export function inboundUrlOf(appUrl: string, address: string): string {
  return `${appUrl}/in/v1/${address}`;
}
