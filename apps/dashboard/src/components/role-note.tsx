import { LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'

/** Explains who can do what the user's role can't. */
export const RoleNote = ({ children }: { children: ReactNode }) => (
  <p className="flex gap-2 rounded-lg bg-sunken px-3.5 py-2.5 text-sm text-soft [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
    <LockKeyhole aria-hidden />
    <span className="text-pretty">{children}</span>
  </p>
)
