import { useHasSecondFactor } from '~/api/accounts/session.ts'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { FormError } from '~/components/controls/form.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Page } from '~/components/page.tsx'
import { RoleNote } from '~/components/role-note.tsx'
import { TwoFactorNote } from '~/components/two-factor-note.tsx'
import { Section } from '../section.tsx'

/** Only owners change it, and only with a second factor of their own: otherwise they would lock themselves out. */
export const SecuritySettings = () => {
  const { workspace } = useProgram()
  const hasSecondFactor = useHasSecondFactor()
  const change = useChange('put /api/workspaces/{workspaceId}/security', { workspaceId: workspace.id })
  const isOwner = workspace.role === 'owner'
  const save = (requireTwoFactor: boolean) =>
    change.mutate(
      { body: { requireTwoFactor } },
      {
        onSuccess: () =>
          toast.done(requireTwoFactor ? 'Two-factor sign-in is required.' : 'Two-factor sign-in is optional.'),
      },
    )
  return (
    <Page title="Security" description={`Applies to all programs of ${workspace.name}.`}>
      <Section title="Two-factor sign-in" description="A second step after the password, with a code from an app.">
        <Switch
          label="Require two-factor sign-in for payouts and rewards"
          hint="Members need it to manage payouts, rewards and partners’ payout details. Partners need it to change their own payout details."
          checked={workspace.requireTwoFactor}
          disabled={!isOwner || !hasSecondFactor || change.isPending}
          onChange={save}
        />
        {isOwner ? (
          <TwoFactorNote required what="Changing this needs" />
        ) : (
          <RoleNote>Only owners can change this.</RoleNote>
        )}
        <FormError error={change.error} />
      </Section>
    </Page>
  )
}
