import { Search } from "lucide-react";
import { useMemo, type ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import { Dialog } from "../ui/dialog.tsx";
import { latePart } from "../ui/late-part.tsx";
import { closeSearch, openSearch, useOpenSearch } from "./search-state.ts";
import { useShortcuts, type Shortcut } from "./shortcuts.ts";

const SearchDialog = latePart(
  "The search",
  async () => (await import("./search-dialog.tsx")).SearchDialog,
  ({ onClose, children }) => (
    <Dialog title="Search" onClose={onClose}>
      {children}
    </Dialog>
  ),
);

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
        <SearchDialog environment={environment} startText={openedWith} onClose={closeSearch} />
      )}
    </>
  );
}
