import { type CloudStemType, cloudStemTypes } from '@stem-studio/contract/resources/stem';
import type { UseQueryResult } from '@tanstack/react-query';
import { useId } from 'react';
import { stemColor, stemName } from '../../base/stem-color.ts';
import { errorText } from '../../client/api-error.ts';
import { type CloudPrice, type CloudQuota, canPay, priceText, quotaText } from './cloud-text.ts';
import styles from './separate-dialog.module.css';

/** Choice of stems of the cloud separation, with price and remaining minutes. */
export function CloudChoice({
  chosen,
  onChoose,
  price,
  quota,
}: {
  chosen: readonly CloudStemType[];
  onChoose: (types: readonly CloudStemType[]) => void;
  price: UseQueryResult<CloudPrice>;
  quota: UseQueryResult<CloudQuota>;
}) {
  const toggle = (type: CloudStemType) =>
    onChoose(cloudStemTypes.filter((one) => (one === type) !== chosen.includes(one)));
  const problem = price.error ?? quota.error;
  return (
    <>
      <fieldset className={styles['models']}>
        <legend className={styles['legend']}>Stems</legend>
        <div className={styles['stems']}>
          {cloudStemTypes.map((type) => (
            <Stem key={type} type={type} isChosen={chosen.includes(type)} onToggle={() => toggle(type)} />
          ))}
        </div>
        <p className={styles['description']}>
          Backing vocals are split from the lead vocals; the two count as two stems. The stems need not sum to
          the song; how much they leave out is shown when they are finished.
        </p>
      </fieldset>
      <div role="status" className={styles['price']} data-poor={!canPay(price.data, quota.data)}>
        <strong>{chosen.length === 0 ? 'Choose a stem' : priceText(price.data)}</strong>
        <span>{quotaText(price.data, quota.data)}</span>
        {problem && <span className={styles['problem']}>{errorText(problem)}</span>}
      </div>
    </>
  );
}

function Stem({
  type,
  isChosen,
  onToggle,
}: {
  type: CloudStemType;
  isChosen: boolean;
  onToggle: () => void;
}) {
  const id = useId();
  return (
    <div className={styles['stem']}>
      <input type="checkbox" id={id} checked={isChosen} onChange={onToggle} />
      <span className={styles['dot']} style={{ color: stemColor(type) }} aria-hidden="true" />
      <label htmlFor={id}>{stemName(type)}</label>
    </div>
  );
}
