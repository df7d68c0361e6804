import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Search } from "lucide-react";
import type { ReactElement } from "react";
import type { Action } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { DelayedText } from "../ui/delayed-text.tsx";
import { Problem } from "../ui/problem.tsx";
import { Section } from "../ui/section.tsx";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { EffectBadge } from "./effect-badge.tsx";
import { actionPages } from "./use-connections.ts";

const route = getRouteApi("/signed-in/$environment/connections/$connectionId");

/** The actions that steps of procedures can call, with a search. */
export function ActionsSection({
  connectionId,
  title,
  empty,
}: {
  readonly connectionId: string;
  readonly title: "Actions" | "Functions";
  /** Said when the connection has none. */
  readonly empty: string;
}): ReactElement {
  const environment = useEnvironment();
  const { q: search = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const setSearch = (text: string): void =>
    void navigate({ search: text === "" ? {} : { q: text }, replace: true, resetScroll: false });
  const actions = useInfiniteQuery(actionPages(environment, connectionId, search));
  const rows = actions.data?.pages.flatMap(({ data }) => data) ?? [];
  const noun = title.toLowerCase();
  return (
    <Section title={title}>
      {(rows.length > 0 || search !== "") && (
        <search aria-label={title} data-print="hide">
          <DelayedText
            label={`Search ${noun}`}
            type="search"
            icon={Search}
            className="max-w-sm"
            placeholder="Words of the name or description"
            value={search}
            onReport={setSearch}
          />
        </search>
      )}
      {actions.error !== null && <Problem error={actions.error} onRetry={() => void actions.refetch()} />}
      {actions.isPending && <p className="text-text-2">Reading the {noun} …</p>}
      {rows.length > 0 && <ActionsTable caption={title} actions={rows} connectionId={connectionId} />}
      {actions.isSuccess && rows.length === 0 && !actions.hasNextPage && (
        <p className="text-text-2">{search === "" ? empty : `No ${noun} fit this search.`}</p>
      )}
      {actions.hasNextPage && (
        <Button
          className="self-center"
          busyLabel={actions.isFetchingNextPage ? "Loading …" : undefined}
          onClick={() => void actions.fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </Section>
  );
}

const columns: readonly Column[] = [{ name: "Effect" }, { name: "Description", isSecondary: true }];

/** Actions with their effects. Those of a connection that exists have pages. */
export function ActionsTable({
  caption,
  actions,
  connectionId,
}: {
  readonly caption: "Actions" | "Functions";
  readonly actions: readonly Action[];
  readonly connectionId?: string;
}): ReactElement {
  const environment = useEnvironment();
  return (
    <Table caption={caption} columns={[{ name: caption.replace(/s$/, "") }, ...columns]}>
      {actions.map(({ name, effect, description, operation, deprecated }) => (
        <Row key={name}>
          <HeadCell>
            {/* Beside long descriptions, names and paths would break at every few letters. */}
            <div className="md:min-w-64 wide:min-w-96">
              {connectionId === undefined ? (
                <span className="wrap-anywhere">{name}</span>
              ) : (
                <Link
                  to="/$environment/connections/$connectionId/actions/$name"
                  params={{ environment, connectionId, name }}
                  className="inline-block min-w-24 wrap-anywhere"
                >
                  {name}
                </Link>
              )}
              {operation !== undefined && (
                <code className="block font-mono text-small font-normal wrap-anywhere text-text-3">
                  {operation.method} {operation.path}
                </code>
              )}
            </div>
          </HeadCell>
          <Cell>
            <EffectBadge effect={effect} />
            {deprecated === true && <span className="block text-small text-review">Deprecated</span>}
          </Cell>
          <Cell isSecondary>
            <span className="line-clamp-2 wrap-anywhere text-text-2">{description}</span>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
