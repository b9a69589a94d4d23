import { useProgram } from '~/app/program-context.ts'
import { RewardWarning } from '../settings/rewards/no-reward-notice.tsx'

/** A credited sale that earned nothing because the program had no reward when it was made. */
export const NoTermsNotice = () => {
  const { program } = useProgram()
  const isFirst = program.reward.version === null
  return (
    <RewardWarning action={isFirst ? 'Set the reward' : 'See the reward'}>
      {isFirst
        ? 'This sale earned nothing because the program has no reward. When you set the first one, you can apply it to this sale too.'
        : 'This sale earned nothing because the program had no reward when it was made.'}
    </RewardWarning>
  )
}
