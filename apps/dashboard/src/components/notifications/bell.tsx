import { Bell as BellIcon } from 'lucide-react'
import { Popover as Radix } from 'radix-ui'
import { useState } from 'react'
import { type Inbox, useNotifications } from '~/api/notifications.ts'
import { buttonClass } from '../controls/button.tsx'
import { formatNumber } from '../format/format.ts'
import { BellPanel } from './bell-panel.tsx'

type Props = { inbox: Inbox; settingsPath: string; align?: 'start' | 'end' }

/** The latest notifications. The number of unread ones is part of the button's name. */
export const Bell = ({ inbox, settingsPath, align = 'end' }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const unread = useNotifications(inbox).data?.unread ?? 0
  return (
    <Radix.Root open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger
        className={buttonClass({ look: 'quiet', size: 'icon' }, 'relative')}
        aria-label={unread > 0 ? `Notifications, ${formatNumber(unread)} unread` : 'Notifications'}
      >
        <BellIcon aria-hidden />
        {unread > 0 && (
          <span
            aria-hidden
            className="absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-accent px-1 text-center font-semibold text-[0.625rem] text-on-accent leading-4"
          >
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={12}
          aria-label="Notifications"
          className="z-50 flex max-h-[min(32rem,var(--radix-popover-content-available-height))] w-96 max-w-[calc(100vw-1.5rem)] animate-enter flex-col rounded-xl border border-line bg-surface shadow-over focus:outline-none"
        >
          <BellPanel inbox={inbox} settingsPath={settingsPath} close={() => setOpen(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
