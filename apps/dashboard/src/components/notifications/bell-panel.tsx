import type { NotificationList } from '@tributary/contract'
import { Bell, Settings } from 'lucide-react'
import { type Inbox, useMarkRead, useNotifications } from '~/api/notifications.ts'
import { AppLink } from '../app-link.tsx'
import { Button, buttonClass } from '../controls/button.tsx'
import { Ago } from '../format/time.tsx'
import { toast } from '../overlays/toast.tsx'
import { SkeletonRows } from '../skeleton.tsx'
import { EmptyState, QueryView } from '../states.tsx'

type Props = { inbox: Inbox; settingsPath: string; close: () => void }

export const BellPanel = ({ inbox, settingsPath, close }: Props) => {
  const list = useNotifications(inbox)
  const markRead = useMarkRead(inbox)
  const open = ({ id, read }: Notification) => {
    close()
    if (!read) markRead.mutate([id])
  }
  return (
    <>
      <div className="flex h-11 shrink-0 items-center gap-2 border-line border-b pr-2 pl-4">
        <h2 className="flex-1 font-semibold text-sm">Notifications</h2>
        {list.data !== undefined && list.data.unread > 0 && (
          <Button
            look="quiet"
            size="small"
            busy={markRead.isPending}
            onClick={() => markRead.mutate(undefined, { onError: toast.failed })}
          >
            Mark all as read
          </Button>
        )}
        <AppLink
          href={settingsPath}
          aria-label="Notification settings"
          className={buttonClass({ look: 'quiet', size: 'icon' }, 'size-7')}
          onClick={close}
        >
          <Settings aria-hidden />
        </AppLink>
      </div>
      <div className="min-h-0 overflow-y-auto">
        <QueryView
          query={list}
          loading={<SkeletonRows rows={3} />}
          isEmpty={({ notifications }) => notifications.length === 0}
          empty={
            <EmptyState icon={<Bell />} title="No notifications" heading="h3">
              News about this program will appear here.
            </EmptyState>
          }
        >
          {({ notifications }) => (
            <ul className="divide-y divide-line">
              {notifications.map((row) => (
                <li key={row.id}>
                  <Row row={row} onOpen={() => open(row)} />
                </li>
              ))}
            </ul>
          )}
        </QueryView>
      </div>
    </>
  )
}

type Notification = NotificationList['notifications'][number]

const Row = ({ row: { title, text, path, read, createdAt }, onOpen }: { row: Notification; onOpen: () => void }) => (
  <AppLink
    href={path}
    onClick={onOpen}
    className="flex gap-3 px-4 py-3 text-sm hover:bg-hover focus-visible:-outline-offset-2"
  >
    <span aria-hidden className={`mt-1.5 size-2 shrink-0 rounded-full ${read ? '' : 'bg-accent'}`} />
    <span className="min-w-0 flex-1">
      <span className={`wrap-anywhere block ${read ? '' : 'font-medium'}`}>
        {!read && <span className="sr-only">Unread: </span>}
        {title}
      </span>
      <span className="wrap-anywhere mt-0.5 block text-soft text-xs">{text}</span>
      <span className="mt-1 block text-faint text-xs">
        <Ago at={createdAt} />
      </span>
    </span>
  </AppLink>
)
