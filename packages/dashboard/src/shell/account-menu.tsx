import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CircleUser, LogOut } from "lucide-react";
import type { ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { Menu, MenuButton, menuItemClass } from "../ui/menu.tsx";
import { useSession } from "./session.ts";

export function AccountMenu(): ReactElement {
  const { person } = useSession();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const signOut = async (): Promise<void> => {
    // A session that ended already is signed out as well.
    await answerOf(api.DELETE("/api/v1/session", {})).catch(() => undefined);
    queryClient.clear();
    await navigate({ to: "/sign-in" });
  };
  return (
    <Menu
      label="Account"
      button={<CircleUser aria-hidden size={16} />}
      buttonClassName="flex size-7 items-center justify-center rounded-control pointer-coarse:size-11"
    >
      <p className="px-2.5 py-1 text-small text-text-3">{person.name}</p>
      <Link to="/account" role="menuitem" tabIndex={-1} className={menuItemClass}>
        <CircleUser aria-hidden size={15} />
        Your account
      </Link>
      <MenuButton icon={LogOut} onClick={() => void signOut()}>
        Sign out
      </MenuButton>
    </Menu>
  );
}
