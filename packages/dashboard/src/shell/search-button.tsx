import { Search } from "lucide-react";
import { lazy, Suspense, useMemo, type ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import { closeSearch, openSearch, useOpenSearch } from "./search-state.ts";
import { useShortcuts, type Shortcut } from "./shortcuts.ts";

const SearchDialog = lazy(async () => ({ default: (await import("./search-dialog.tsx")).SearchDialog }));

/** Opens the search, and shows it while it is open. */
export function SearchButton({ environment }: { readonly environment: Environment }): ReactElement {
  const openedWith = useOpenSearch();
  const shortcuts = useMemo(
    (): readonly Shortcut[] => [{ keys: "Ctrl+K", does: "Search", isOfFrame: true, run: () => openSearch() }],
    [],
  );
  useShortcuts(shortcuts);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K"
        onClick={() => openSearch()}
        className="flex h-7 items-center gap-1.5 rounded-control px-2 hover:bg-current/10 pointer-coarse:size-11 pointer-coarse:justify-center"
      >
        <Search aria-hidden size={15} />
        <span className="max-sm:sr-only">Search</span>
        <kbd aria-hidden className="rounded-control border border-current/35 px-1 font-mono max-md:hidden">
          Ctrl K
        </kbd>
      </button>
      {openedWith !== undefined && (
        <Suspense>
          <SearchDialog environment={environment} startText={openedWith} onClose={closeSearch} />
        </Suspense>
      )}
    </>
  );
}
