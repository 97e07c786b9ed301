throw new Error('it cannot start')
