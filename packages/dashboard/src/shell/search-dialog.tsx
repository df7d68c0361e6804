import { Autocomplete } from "@base-ui/react/autocomplete";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import { cx } from "../ui/cx.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/problem.tsx";
import { environmentNames } from "./environment.ts";
import { rooms, roomsFor, workspaceRooms } from "./rooms.ts";
import { groupsOf, pagesNamed, type SearchGroup, type SearchItem } from "./search-items.ts";
import { searchFor } from "./search-results.ts";
import { environmentsOf, hasAbility, useSession } from "./session.ts";

interface SearchDialogProps {
  readonly environment: Environment;
  readonly startText: string;
  readonly onClose: () => void;
}

/** Finds runs, reviews, procedures and pages, and opens one. */
export function SearchDialog({ environment, startText, onClose }: SearchDialogProps): ReactElement {
  const session = useSession();
  const navigate = useNavigate();
  const [text, setText] = useState(startText);
  const found = useQuery(searchFor(text, environment, environmentsOf(session)));
  const all = [...roomsFor(session, rooms), ...roomsFor(session, workspaceRooms)];
  const pages = pagesNamed(text, all, environment, hasAbility(session, environment, "run"));
  const groups = groupsOf(found.data, pages, environment);
  const open = ({ address }: SearchItem): void => {
    onClose();
    void navigate({ to: address });
  };
  return (
    <Dialog title="Search" isTitleHidden onClose={onClose}>
      <CSPProvider disableStyleElements>
        <Autocomplete.Root
          inline
          open
          items={groups}
          filter={null}
          autoHighlight="always"
          keepHighlight
          value={text}
          onValueChange={(value, { reason }) => {
            if (reason !== "item-press") setText(value);
          }}
          itemToStringValue={(item: SearchItem) => item.title}
        >
          <div className="flex items-center gap-2.5 border-b border-hairline pr-12 pl-4">
            <Search aria-hidden size={16} className="shrink-0 text-text-3" />
            <Autocomplete.Input
              aria-label="Search"
              placeholder="Id, reference or name"
              className="h-12 w-full bg-transparent text-input outline-none placeholder:text-text-3 pointer-coarse:text-[16px]"
            />
          </div>
          <Autocomplete.List className="max-h-[min(60dvh,420px)] overflow-y-auto overscroll-contain p-1.5 data-empty:p-0">
            {(group: SearchGroup) => (
              <Autocomplete.Group key={group.value} items={group.items} className="pb-1">
                <Autocomplete.GroupLabel className="px-2.5 pt-1.5 pb-1 text-small font-medium text-text-3">
                  {group.value}
                </Autocomplete.GroupLabel>
                <Autocomplete.Collection>
                  {(item: SearchItem) => (
                    <Result key={item.address} item={item} environment={environment} onOpen={open} />
                  )}
                </Autocomplete.Collection>
              </Autocomplete.Group>
            )}
          </Autocomplete.List>
          {found.error !== null && (
            <div className="p-3">
              <Problem error={found.error} onRetry={() => void found.refetch()} />
            </div>
          )}
          <p role="status" className="sr-only">
            {found.isFetching ? "Searching" : resultCount(groups)}
          </p>
          {text.trim() !== "" && groups.length === 0 && found.error === null && (
            <div className="px-4 py-3">{found.isFetching ? <p>Searching …</p> : <NothingFound text={text} />}</div>
          )}
        </Autocomplete.Root>
        <p className="flex gap-4 border-t border-hairline px-4 py-2 text-small text-text-3 pointer-coarse:hidden">
          <span>↑ ↓ choose</span>
          <span>Enter opens</span>
          <span>Esc closes</span>
        </p>
      </CSPProvider>
    </Dialog>
  );
}

function resultCount(groups: readonly SearchGroup[]): string {
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  return count === 1 ? "1 result" : `${count} results`;
}

function Result({
  item,
  environment,
  onOpen,
}: {
  readonly item: SearchItem;
  readonly environment: Environment;
  readonly onOpen: (item: SearchItem) => void;
}): ReactElement {
  const { icon: Icon, title, detail, kind } = item;
  const isElsewhere = item.environment !== undefined && item.environment !== environment;
  return (
    <Autocomplete.Item
      value={item}
      onClick={() => onOpen(item)}
      className="flex min-h-9 cursor-default items-center gap-2.5 rounded-control px-2.5 py-1 outline-none data-highlighted:bg-sunken data-highlighted:shadow-[inset_2px_0_0_var(--color-accent)] pointer-coarse:min-h-11"
    >
      <Icon aria-hidden size={16} className="shrink-0 text-text-3" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate font-medium">{title}</span>
        {detail !== undefined && <span className="truncate text-small text-text-2">{detail}</span>}
      </span>
      {isElsewhere && <InEnvironment environment={item.environment} />}
      <span className="shrink-0 text-small text-text-3">{kind}</span>
    </Autocomplete.Item>
  );
}

function InEnvironment({ environment }: { readonly environment: Environment }): ReactElement {
  const isLive = environment === "live";
  return (
    <span
      className={cx(
        "inline-flex shrink-0 items-center gap-1 rounded-control px-1.5 py-0.5 text-small font-semibold",
        isLive ? "bg-live-bg text-live" : "stripes text-sandbox",
      )}
    >
      {isLive && <span aria-hidden className="size-1.5 rounded-full bg-live-dot" />}
      in {environmentNames[environment]}
    </span>
  );
}

function NothingFound({ text }: { readonly text: string }): ReactElement {
  return (
    <>
      <p className="font-medium wrap-anywhere">Nothing found for “{text.trim()}”.</p>
      <ul className="mt-1.5 list-disc pl-4 text-text-2">
        <li>Runs are found by their whole id, or by the beginning of their reference, such as an invoice number.</li>
        <li>Reviews are found by their whole id, and by the id or reference of their run.</li>
        <li>In ids and references, upper and lower case differ.</li>
        <li>Procedures are found by words of their name or id.</li>
      </ul>
    </>
  );
}
