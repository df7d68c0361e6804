import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import { environmentNames } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Problem } from "../ui/problem.tsx";
import { Section } from "../ui/section.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { Age } from "../values/moment.tsx";
import { DeleteApiKeyDialog } from "./delete-api-key-dialog.tsx";
import { permissionsText } from "./permission-words.ts";
import { apiKeyPages, type ApiKey } from "./use-api-keys.ts";

const columns: readonly Column[] = [
  { name: "Name" },
  { name: "Prefix", isSecondary: true },
  { name: "Permissions" },
  { name: "Made by", isSecondary: true },
  { name: "Created", isSecondary: true },
  { name: "Last used" },
];

/** The keys of one environment, with their last use, so that old ones can be deleted without fear. */
export function ApiKeysTable({
  environment,
  mayDelete,
}: {
  readonly environment: Environment;
  /** Whether the page may delete them. */
  readonly mayDelete: boolean;
}): ReactElement {
  const found = useInfiniteQuery(apiKeyPages(environment));
  const [deleted, setDeleted] = useState<ApiKey>();
  const keys = found.data?.pages.flatMap(({ data }) => data) ?? [];
  const caption = `${environmentNames[environment]} keys`;
  return (
    <Section title={caption}>
      {found.error !== null && <Problem error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton rows={3} />}
      {found.isSuccess && keys.length === 0 && (
        <Empty title={`No program has a key for ${environmentNames[environment]}.`} />
      )}
      {keys.length > 0 && (
        <Table caption={caption} columns={mayDelete ? [...columns, { name: "" }] : columns}>
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} {...(mayDelete && { onDelete: setDeleted })} />
          ))}
        </Table>
      )}
      {found.hasNextPage && (
        <Button
          className="self-center"
          busyLabel={found.isFetchingNextPage ? "Loading …" : undefined}
          onClick={() => void found.fetchNextPage()}
        >
          Load more
        </Button>
      )}
      {deleted !== undefined && <DeleteApiKeyDialog apiKey={deleted} onClose={() => setDeleted(undefined)} />}
    </Section>
  );
}

function KeyRow({
  apiKey,
  onDelete,
}: {
  readonly apiKey: ApiKey;
  readonly onDelete?: (key: ApiKey) => void;
}): ReactElement {
  const { name, prefix, permissions, roles, person, createdBy, createdAt, lastUsedAt, lastUsedFrom } = apiKey;
  // The role reviewer goes without saying: it comes with the permission.
  const groups = roles.filter((role) => role !== "reviewer");
  return (
    <Row>
      <HeadCell>
        <span className="inline-block min-w-28 wrap-anywhere">{name}</span>
      </HeadCell>
      <Cell isSecondary>
        <code className="font-mono text-code">{prefix}…</code>
      </Cell>
      <Cell>
        {permissionsText(permissions)}
        {groups.length > 0 && <span className="block text-small text-text-3 wrap-anywhere">{groups.join(", ")}</span>}
      </Cell>
      <Cell isSecondary>
        <span className="wrap-break-word">{createdBy}</span>
        {person !== createdBy && <span className="block text-small text-text-3 wrap-anywhere">acts as {person}</span>}
      </Cell>
      <Cell isSecondary>
        <Age since={createdAt} />
      </Cell>
      <Cell>
        {lastUsedAt === undefined ? (
          <span className="text-text-3">Never</span>
        ) : (
          <>
            <Age since={lastUsedAt} />
            {lastUsedFrom !== undefined && (
              <span className="block text-small whitespace-nowrap text-text-3">from {lastUsedFrom}</span>
            )}
          </>
        )}
      </Cell>
      {onDelete !== undefined && (
        <Cell>
          <span className="flex justify-end">
            <Button variant="quiet" aria-label={`Delete ${name}`} onClick={() => onDelete(apiKey)}>
              Delete
            </Button>
          </span>
        </Cell>
      )}
    </Row>
  );
}
