import type { TwoFactorState } from '@tributary/contract'
import { useState } from 'react'
import { useRefreshTwoFactor, useTwoFactor } from '~/api/accounts/two-factor.ts'
import { Badge } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { Section } from '../settings/section.tsx'
import { TurnOn } from './turn-on-two-factor.tsx'
import { ReplaceCodes, TurnOff } from './two-factor-changes.tsx'

const DIALOGS = {
  on: { title: 'Turn on two-factor sign-in', Content: TurnOn },
  codes: { title: 'Replace recovery codes', Content: ReplaceCodes },
  off: { title: 'Turn off two-factor sign-in', Content: TurnOff },
}
type Name = keyof typeof DIALOGS

export const TwoFactorSection = () => {
  const state = useTwoFactor()
  return (
    <Section
      title="Two-factor sign-in"
      description="Asks for a code from an app on your phone when you sign in, so a stolen password is not enough."
    >
      <QueryView query={state} loading={<SkeletonRows rows={1} />}>
        {(data) => <Settings state={data} />}
      </QueryView>
    </Section>
  )
}

const Settings = ({ state }: { state: TwoFactorState }) => {
  const refresh = useRefreshTwoFactor()
  const [opened, setOpened] = useState<Name | null>(null)
  const close = () => {
    setOpened(null)
    refresh()
  }
  const { title, Content } = DIALOGS[opened ?? 'on']
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        {state.enabled ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}
        <span className="min-w-0 flex-1 text-soft">{describe(state)}</span>
        {state.enabled ? (
          <span className="flex flex-wrap gap-2">
            <Button onClick={() => setOpened('codes')}>Replace recovery codes</Button>
            <Button onClick={() => setOpened('off')}>Turn off</Button>
          </span>
        ) : (
          <Button look="primary" onClick={() => setOpened('on')}>
            Turn on
          </Button>
        )}
      </div>
      <Dialog open={opened !== null} onOpenChange={(open) => !open && close()} title={title}>
        <Content hasPassword={state.hasPassword} onDone={close} />
      </Dialog>
    </>
  )
}

const describe = ({ enabled, recoveryCodesLeft: left }: TwoFactorState) => {
  if (!enabled) return 'You sign in without a code.'
  if (left === 0) return 'You have no recovery codes left. Replace them now.'
  return `You have ${left} recovery ${left === 1 ? 'code' : 'codes'} left.`
}
