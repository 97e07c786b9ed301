/** How much one account may have stored; 0: as much as the disk holds. */
export interface StorageLimits {
  /** Records, with those that were removed and may be restored. */
  readonly records: number
  /** Bytes of their texts in UTF-8, earlier versions left out. */
  readonly bytes: number
}

export const NO_STORAGE_LIMITS: StorageLimits = { records: 0, bytes: 0 }

/** A change that was not made, because its account would have more than it may. */
export interface StorageExceeded {
  readonly outcome: 'full'
  readonly quota: keyof StorageLimits
  readonly limit: number
}
