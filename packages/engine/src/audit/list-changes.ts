import { environments, normalName, ProcedoError, type Environment } from "@procedo/contract";
import {
  decodeCursor,
  encodeCursor,
  type AuditEntry,
  type AuditStore,
  type Page,
  type PageRequest,
} from "@procedo/storage";
import { archiveAction } from "./archive-fact.ts";
import { readChange, type WorkspaceChange } from "./changes.ts";
import { checkpointAction, withoutHeads } from "./checkpoint.ts";

/** The entries of the workspace's chain to list. The filters compare whole values. */
export interface ChangeQuery extends PageRequest {
  /**
   * Only entries about this environment and about the workspace, such as published versions. Checkpoints then have no
   * details, which count the runs of both environments. @defaultValue entries about both
   */
  readonly environment?: Environment;
  /** Whether entries about people, invitations and sessions are listed. @defaultValue true */
  readonly withPeople?: boolean;
  /** Such as `procedure.published`. @defaultValue any action */
  readonly action?: string;
  /** The person who made the change, in any spelling. @defaultValue any person */
  readonly person?: string;
  /** The changed resource, as entries name it. @defaultValue any subject */
  readonly subject?: string;
  /** Earliest time, inclusive, in milliseconds since the epoch. @defaultValue any time */
  readonly fromMs?: number;
  /** Latest time, exclusive, in milliseconds since the epoch. @defaultValue any time */
  readonly toMs?: number;
}

/** See `Audit.list`. */
export async function listChanges(
  { audit, workspace }: { readonly audit: Pick<AuditStore, "listNewest">; readonly workspace: string },
  request: ChangeQuery,
): Promise<Page<WorkspaceChange>> {
  const { environment, withPeople = true, action, person, subject, fromMs, toMs, limit, cursor } = request;
  const query = ["audit", workspace, environment, String(withPeople), action, person, subject, fromMs, toMs];
  const [beforeSeq] = decodeCursor(query, cursor, ["number"]) ?? [];
  const { entries, nextBeforeSeq } = await audit.listNewest({
    workspace,
    limit,
    ...(beforeSeq !== undefined && { beforeSeq }),
    ...(action !== undefined && { action }),
    ...(person !== undefined && { by: normalName(person) }),
    ...(subject !== undefined && { subject }),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
  });
  const items = entries.map(readable).filter((change) => isShown(change, environment, withPeople));
  return {
    items: environment === undefined ? items : items.map(withoutCounts),
    nextCursor: nextBeforeSeq === undefined ? undefined : encodeCursor(query, [nextBeforeSeq]),
  };
}

/** An entry in readable form. @throws ProcedoError `journal_corrupted` */
export function readable(entry: AuditEntry): WorkspaceChange {
  const change = readChange(entry);
  if (change !== undefined) return withoutHeads(change);
  const message = `Entry ${entry.seq} of the workspace's chain cannot be read. Verify the audit record.`;
  throw new ProcedoError("journal_corrupted", message);
}

function isShown(change: WorkspaceChange, environment: Environment | undefined, withPeople: boolean): boolean {
  if (!withPeople && /^(?:person|session)\./.test(change.action)) return false;
  const its = environmentOf(change);
  return environment === undefined || its === undefined || its === environment;
}

/** The only environment that an entry concerns; `undefined` for one about the workspace. */
function environmentOf({ action, subject, details }: WorkspaceChange): Environment | undefined {
  if (action === checkpointAction) return undefined;
  // An archive's subject is the name of its file. Others begin with the environment of the resource.
  const named =
    action === archiveAction && typeof details === "object" && details !== null && "environment" in details
      ? details["environment"]
      : subject.split("/", 1)[0];
  return environments.find((one) => one === named);
}

function withoutCounts(change: WorkspaceChange): WorkspaceChange {
  return change.action === checkpointAction ? { ...change, details: undefined } : change;
}
