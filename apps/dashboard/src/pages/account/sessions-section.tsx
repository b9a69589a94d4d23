import { useRouter } from '@tanstack/react-router'
import { Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import {
  type AccountSession,
  useAccountSessions,
  useRevokeSession,
  useSignOutEverywhere,
} from '~/api/accounts/account.ts'
import { Badge } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Ago } from '~/components/format/time.tsx'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { Section } from '../settings/section.tsx'
import { describeBrowser, isPhone } from './browser-names.ts'

type SessionRow = AccountSession & { isCurrent: boolean }

export const SessionsSection = () => {
  const sessions = useAccountSessions()
  return (
    <Section title="Sessions" description="Where you are signed in. End any session you don’t recognize.">
      <QueryView query={sessions} loading={<SkeletonRows rows={2} />}>
        {(list) => (
          <ul aria-label="Sessions" className="divide-y divide-line rounded-lg border border-line">
            {list.map((session) => (
              <SessionLine key={session.id} session={session} />
            ))}
          </ul>
        )}
      </QueryView>
      <div className="flex justify-end">
        <SignOutEverywhere />
      </div>
    </Section>
  )
}

const SessionLine = ({ session }: { session: SessionRow }) => {
  const revoke = useRevokeSession()
  const { userAgent, updatedAt, isCurrent, token } = session
  const Icon = isPhone(userAgent) ? Smartphone : Monitor
  const end = () => revoke.mutate({ token }, { onSuccess: () => toast.done('Session ended.'), onError: toast.failed })
  return (
    <li className="flex items-center gap-3 px-4 py-3 text-sm">
      <Icon aria-hidden className="size-4 shrink-0 text-faint" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{describeBrowser(userAgent)}</span>
        <span className="block text-faint text-xs">
          Last used <Ago at={updatedAt} />
        </span>
      </span>
      {isCurrent ? (
        <Badge tone="good">This browser</Badge>
      ) : (
        <Button size="small" busy={revoke.isPending} onClick={end}>
          End session
        </Button>
      )}
    </li>
  )
}

const SignOutEverywhere = () => {
  const { mutate, isPending, error } = useSignOutEverywhere()
  const router = useRouter()
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <Button onClick={() => setConfirming(true)}>Sign out everywhere</Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Sign out everywhere?"
        confirm="Sign out everywhere"
        danger
        busy={isPending}
        error={error}
        onConfirm={() => mutate(undefined, { onSuccess: () => void router.navigate({ to: '/sign-in' }) })}
      >
        This signs you out of every browser, including this one. You can sign in again with your password.
      </ConfirmDialog>
    </>
  )
}
