import { Command } from 'cmdk'
import { CornerDownLeft } from 'lucide-react'
import type { ReactNode } from 'react'

export type Run = (work: () => void) => () => void
export type CommandProps = { run: Run }

export const Group = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <Command.Group
    heading={heading}
    className="**:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:pt-2 **:[[cmdk-group-heading]]:pb-1 **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-faint **:[[cmdk-group-heading]]:text-xs"
  >
    {children}
  </Command.Group>
)

type ItemProps = { value?: string; keywords?: string[]; onSelect: () => void; children: ReactNode }

export const Item = ({ children, ...rest }: ItemProps) => (
  <Command.Item
    {...rest}
    className="group flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-faint"
  >
    {children}
    <CornerDownLeft aria-hidden className="ml-auto opacity-0 group-data-[selected=true]:opacity-100" />
  </Command.Item>
)
