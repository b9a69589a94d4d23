import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

type Props = {
  label: string
  trigger: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
  children: ReactNode
}

/** A dialog below its trigger. Focus starts on the calendar's current day, and returns to the trigger. */
export const DatePopover = ({ label, trigger, open, onOpenChange, children }: Props) => (
  <Radix.Root open={open} onOpenChange={onOpenChange} modal>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        align="end"
        sideOffset={4}
        collisionPadding={12}
        aria-label={label}
        onOpenAutoFocus={(event) => {
          const day = (event.currentTarget as HTMLElement).querySelector<HTMLElement>('[data-day][tabindex="0"]')
          if (!day) return
          event.preventDefault()
          day.focus()
        }}
        className="z-60 max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-1.5rem)] animate-enter overflow-y-auto rounded-lg border border-line bg-surface p-3 shadow-over focus:outline-none"
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)
