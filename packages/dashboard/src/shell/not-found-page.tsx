import { Search } from "lucide-react";
import { useState, type FormEvent, type ReactElement } from "react";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { openSearch } from "./search-state.ts";
import { Page } from "./page.tsx";

export function NotFoundPage(): ReactElement {
  const [text, setText] = useState("");
  const search = (event: FormEvent): void => {
    event.preventDefault();
    openSearch(text);
  };
  return (
    <Page heading="Not found">
      <p className="max-w-prose">
        There is no page at this address. Check the address, or search for the run, the review or the procedure.
      </p>
      <form role="search" onSubmit={search} className="flex max-w-md items-end gap-2">
        <TextField
          className="flex-1"
          label="Search for an id, a reference or a name"
          type="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" icon={Search}>
          Find
        </Button>
      </form>
    </Page>
  );
}
