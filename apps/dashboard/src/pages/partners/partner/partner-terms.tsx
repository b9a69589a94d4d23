import { useState } from 'react'
import { useEndOwnReward } from '~/api/money/rewards.ts'
import type { PartnerDetail } from '~/api/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { Badge } from '~/components/badge.tsx'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Facts } from '~/components/facts/facts.tsx'
import { formatCount, formatDate, formatMoney } from '~/components/format/format.ts'
import { ConfirmDialog } from '~/components/overlays/confirm-dialog.tsx'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { rewardWords } from '~/pages/settings/rewards/reward-words.ts'
import { OwnTerms } from './own-terms.tsx'

/** What this partner is paid, and whether that is the program's or their own. */
export const PartnerTerms = ({ partner }: { partner: PartnerDetail }) => {
  const { may } = useProgram()
  const { reward } = partner
  const [isEditing, setEditing] = useState(false)
  const [isEnding, setEnding] = useState(false)
  return (
    <Card>
      <CardHeader
        title="Terms"
        description={rewardWords(reward)}
        actions={
          <Badge tone={reward.own ? 'accent' : 'neutral'}>{reward.own ? 'Custom terms' : 'Program terms'}</Badge>
        }
      />
      <div className="flex flex-col gap-4 p-5">
        <Facts
          facts={[
            { label: 'Hold', value: formatCount(reward.holdDays, 'day') },
            { label: 'Minimum payout', value: formatMoney(reward.minimumPayoutCents, reward.currency) },
            { label: 'Since', value: reward.validFrom ? formatDate(reward.validFrom) : '–' },
          ]}
        />
        {may('payout:manage') && (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setEditing(true)}>{reward.own ? 'Change custom terms' : 'Set custom terms'}</Button>
            {reward.own && (
              <Button look="quiet" onClick={() => setEnding(true)}>
                End custom terms
              </Button>
            )}
          </div>
        )}
      </div>
      <Drawer open={isEditing} onOpenChange={setEditing} title={`Terms of ${partner.name}`}>
        <OwnTerms partner={partner} onSaved={() => setEditing(false)} />
      </Drawer>
      <EndTerms partner={partner} open={isEnding} onClose={() => setEnding(false)} />
    </Card>
  )
}

const EndTerms = ({ partner, open, onClose }: { partner: PartnerDetail; open: boolean; onClose: () => void }) => {
  const { program } = useProgram()
  const end = useEndOwnReward(program.id, partner.id)
  const confirm = () =>
    end.mutate(undefined, {
      onSuccess: () => {
        toast.done(`${partner.name} is back on the program’s terms.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`End the custom terms of ${partner.name}?`}
      confirm="End custom terms"
      danger
      busy={end.isPending}
      error={end.error}
      onConfirm={confirm}
    >
      Instead of {rewardWords(partner.reward)} they get what the program pays, from now on. What they earned stays
      theirs.
    </ConfirmDialog>
  )
}
