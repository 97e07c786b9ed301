-- What an organization is called by people, and what it is for; its name is short, and for programs.
ALTER TABLE account ADD COLUMN title text;
ALTER TABLE account ADD COLUMN description text;
