import type { AppliedToEarlier, EarlierEvents } from '@tributary/contract'
import { formatList, formatMoney } from '~/components/format/format.ts'
import { earlierWords } from './no-reward-notice.tsx'

const CHOICES = [
  { value: 'no', label: 'Only from now on', hint: 'These stay without a commission. You cannot change this later.' },
  { value: 'yes', label: 'Also pay for these', hint: 'Each is decided as if the reward had been set from the start.' },
]

/** Asked once, with the first terms of a program: nothing is preselected. */
export const EarlierChoice = ({ earlier }: { earlier: EarlierEvents }) => {
  const sums = formatList(earlier.revenue.map(({ amountCents, currency }) => formatMoney(amountCents, currency)))
  return (
    <fieldset className="flex flex-col gap-3 rounded-lg border border-line bg-sunken p-4">
      <legend className="sr-only">Earlier sales and sign-ups</legend>
      <p className="text-sm">
        <span className="font-medium">{earlierWords(earlier)} earned nothing so far</span>
        {sums && ` (${sums} in sales)`}. Should this reward pay for them?
      </p>
      {CHOICES.map(({ value, label, hint }) => (
        <label key={value} className="flex items-start gap-2.5 text-sm">
          <input type="radio" name="applyToEarlier" value={value} required className="mt-1 accent-accent" />
          <span>
            <span className="block font-medium">{label}</span>
            <span className="block text-faint text-xs">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

export const appliedWords = ({ leads, sales, amounts, finished }: AppliedToEarlier) => {
  if (leads + sales === 0 && finished) return 'The reward pays for none of the earlier sales and sign-ups.'
  const sums = formatList(amounts.map(({ amountCents, currency }) => formatMoney(amountCents, currency)))
  const rest = finished ? '' : ' The rest is being applied.'
  return `Applied to ${earlierWords({ leads, sales }) || 'none yet'}: ${sums || 'nothing'} in commissions.${rest}`
}
