/* Changes of the workspace in words. An action without an entry here is shown by its own name. */

/** Actions that are recorded, in the order of the filter. */
export const changeWords: Readonly<Record<string, string>> = {
  "procedure.published": "Version published",
  "procedure.default_set": "Default version set",
  "procedure.draft_discarded": "Draft discarded",
  "trigger.created": "Trigger created",
  "trigger.updated": "Trigger changed",
  "trigger.paused": "Trigger paused",
  "trigger.resumed": "Trigger resumed",
  "trigger.rotated": "Trigger secret rotated",
  "trigger.secret_restored": "Trigger secret restored",
  "trigger.removed": "Trigger deleted",
  "trigger.restored": "Schedule set after a restore",
  "trigger.pending_ended": "Pending firings ended",
  "connection.created": "Connection created",
  "connection.updated": "Connection changed",
  "connection.removed": "Connection removed",
  "connection.authorized": "Connection authorized",
  "connection.authorization_refused": "Authorization as another account refused",
  "connection.authorization_removed": "Authorization removed",
  "connection.authorization_ended": "Authorization ended",
  "connection.token_regenerated": "Connection token regenerated",
  "connection.token_restored": "Connection token restored",
  "webhook.created": "Webhook created",
  "webhook.updated": "Webhook changed",
  "webhook.removed": "Webhook removed",
  "webhook.deactivated": "Webhook deactivated",
  "webhook.rotated": "Webhook secret rotated",
  "webhook.secret_restored": "Webhook secret restored",
  "webhook.delivery_resent": "Delivery resent",
  "webhook.deliveries_resent": "Deliveries resent",
  "webhook.pending_ended": "Pending deliveries ended",
  "api_key.created": "API key created",
  "api_key.removed": "API key deleted",
  "person.invited": "Person invited",
  "person.invitation_withdrawn": "Invitation withdrawn",
  "person.joined": "Person joined",
  "person.access_changed": "Access changed",
  "person.renamed": "Person renamed",
  "person.deactivated": "Person deactivated",
  "person.reactivated": "Person reactivated",
  "person.password_reset": "Link for a new password created",
  "person.password_changed": "Password changed",
  "session.ended_by_other": "Sessions ended by another person",
  "private_call.lost": "Calls of private functions lost",
  "runs.archived": "Runs archived",
  checkpoint: "Checkpoint signed",
};

/** Words for an action. */
export function wordsOf(action: string): string {
  const known = Object.hasOwn(changeWords, action) ? changeWords[action] : undefined;
  return known ?? action.replaceAll(/[._]/g, " ");
}
