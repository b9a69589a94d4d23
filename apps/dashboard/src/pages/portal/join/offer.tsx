import type { ApplicationPage } from '@tributary/contract'
import { RewardList } from '../terms-card.tsx'

/** The program's introduction and its reward. */
export const Offer = ({ application: { text, reward } }: { application: ApplicationPage }) => (
  <div className="mb-5 flex flex-col gap-4">
    {text && <p className="whitespace-pre-line text-pretty text-soft text-sm">{text}</p>}
    <div className="rounded-lg border border-line bg-sunken p-4">
      <RewardList reward={reward} />
    </div>
  </div>
)
