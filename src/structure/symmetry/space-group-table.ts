/**
 * The 530 settings of the space groups in the order of International Tables for Crystallography B, table A1.4.2.7, so that
 * the line number is the Hall number. Columns: number of the group, setting, Hall symbol, short Hermann-Mauguin symbol, full
 * symbol where it differs, and the name from before 1992 where the symbol has an `e` plane now.
 */
export const SPACE_GROUP_ROWS = `
1||P 1|P 1||
2||-P 1|P -1||
3|b|P 2y|P 2|P 1 2 1|
3|c|P 2|P 2|P 1 1 2|
3|a|P 2x|P 2|P 2 1 1|
4|b|P 2yb|P 2_1|P 1 2_1 1|
4|c|P 2c|P 2_1|P 1 1 2_1|
4|a|P 2xa|P 2_1|P 2_1 1 1|
5|b1|C 2y|C 2|C 1 2 1|
5|b2|A 2y|C 2|A 1 2 1|
5|b3|I 2y|C 2|I 1 2 1|
5|c1|A 2|C 2|A 1 1 2|
5|c2|B 2|C 2|B 1 1 2|
5|c3|I 2|C 2|I 1 1 2|
5|a1|B 2x|C 2|B 2 1 1|
5|a2|C 2x|C 2|C 2 1 1|
5|a3|I 2x|C 2|I 2 1 1|
6|b|P -2y|P m|P 1 m 1|
6|c|P -2|P m|P 1 1 m|
6|a|P -2x|P m|P m 1 1|
7|b1|P -2yc|P c|P 1 c 1|
7|b2|P -2yac|P c|P 1 n 1|
7|b3|P -2ya|P c|P 1 a 1|
7|c1|P -2a|P c|P 1 1 a|
7|c2|P -2ab|P c|P 1 1 n|
7|c3|P -2b|P c|P 1 1 b|
7|a1|P -2xb|P c|P b 1 1|
7|a2|P -2xbc|P c|P n 1 1|
7|a3|P -2xc|P c|P c 1 1|
8|b1|C -2y|C m|C 1 m 1|
8|b2|A -2y|C m|A 1 m 1|
8|b3|I -2y|C m|I 1 m 1|
8|c1|A -2|C m|A 1 1 m|
8|c2|B -2|C m|B 1 1 m|
8|c3|I -2|C m|I 1 1 m|
8|a1|B -2x|C m|B m 1 1|
8|a2|C -2x|C m|C m 1 1|
8|a3|I -2x|C m|I m 1 1|
9|b1|C -2yc|C c|C 1 c 1|
9|b2|A -2yab|C c|A 1 n 1|
9|b3|I -2ya|C c|I 1 a 1|
9|-b1|A -2ya|C c|A 1 a 1|
9|-b2|C -2yac|C c|C 1 n 1|
9|-b3|I -2yc|C c|I 1 c 1|
9|c1|A -2a|C c|A 1 1 a|
9|c2|B -2ab|C c|B 1 1 n|
9|c3|I -2b|C c|I 1 1 b|
9|-c1|B -2b|C c|B 1 1 b|
9|-c2|A -2ab|C c|A 1 1 n|
9|-c3|I -2a|C c|I 1 1 a|
9|a1|B -2xb|C c|B b 1 1|
9|a2|C -2xac|C c|C n 1 1|
9|a3|I -2xc|C c|I c 1 1|
9|-a1|C -2xc|C c|C c 1 1|
9|-a2|B -2xab|C c|B n 1 1|
9|-a3|I -2xb|C c|I b 1 1|
10|b|-P 2y|P 2/m|P 1 2/m 1|
10|c|-P 2|P 2/m|P 1 1 2/m|
10|a|-P 2x|P 2/m|P 2/m 1 1|
11|b|-P 2yb|P 2_1/m|P 1 2_1/m 1|
11|c|-P 2c|P 2_1/m|P 1 1 2_1/m|
11|a|-P 2xa|P 2_1/m|P 2_1/m 1 1|
12|b1|-C 2y|C 2/m|C 1 2/m 1|
12|b2|-A 2y|C 2/m|A 1 2/m 1|
12|b3|-I 2y|C 2/m|I 1 2/m 1|
12|c1|-A 2|C 2/m|A 1 1 2/m|
12|c2|-B 2|C 2/m|B 1 1 2/m|
12|c3|-I 2|C 2/m|I 1 1 2/m|
12|a1|-B 2x|C 2/m|B 2/m 1 1|
12|a2|-C 2x|C 2/m|C 2/m 1 1|
12|a3|-I 2x|C 2/m|I 2/m 1 1|
13|b1|-P 2yc|P 2/c|P 1 2/c 1|
13|b2|-P 2yac|P 2/c|P 1 2/n 1|
13|b3|-P 2ya|P 2/c|P 1 2/a 1|
13|c1|-P 2a|P 2/c|P 1 1 2/a|
13|c2|-P 2ab|P 2/c|P 1 1 2/n|
13|c3|-P 2b|P 2/c|P 1 1 2/b|
13|a1|-P 2xb|P 2/c|P 2/b 1 1|
13|a2|-P 2xbc|P 2/c|P 2/n 1 1|
13|a3|-P 2xc|P 2/c|P 2/c 1 1|
14|b1|-P 2ybc|P 2_1/c|P 1 2_1/c 1|
14|b2|-P 2yn|P 2_1/c|P 1 2_1/n 1|
14|b3|-P 2yab|P 2_1/c|P 1 2_1/a 1|
14|c1|-P 2ac|P 2_1/c|P 1 1 2_1/a|
14|c2|-P 2n|P 2_1/c|P 1 1 2_1/n|
14|c3|-P 2bc|P 2_1/c|P 1 1 2_1/b|
14|a1|-P 2xab|P 2_1/c|P 2_1/b 1 1|
14|a2|-P 2xn|P 2_1/c|P 2_1/n 1 1|
14|a3|-P 2xac|P 2_1/c|P 2_1/c 1 1|
15|b1|-C 2yc|C 2/c|C 1 2/c 1|
15|b2|-A 2yab|C 2/c|A 1 2/n 1|
15|b3|-I 2ya|C 2/c|I 1 2/a 1|
15|-b1|-A 2ya|C 2/c|A 1 2/a 1|
15|-b2|-C 2yac|C 2/c|C 1 2/n 1|
15|-b3|-I 2yc|C 2/c|I 1 2/c 1|
15|c1|-A 2a|C 2/c|A 1 1 2/a|
15|c2|-B 2ab|C 2/c|B 1 1 2/n|
15|c3|-I 2b|C 2/c|I 1 1 2/b|
15|-c1|-B 2b|C 2/c|B 1 1 2/b|
15|-c2|-A 2ab|C 2/c|A 1 1 2/n|
15|-c3|-I 2a|C 2/c|I 1 1 2/a|
15|a1|-B 2xb|C 2/c|B 2/b 1 1|
15|a2|-C 2xac|C 2/c|C 2/n 1 1|
15|a3|-I 2xc|C 2/c|I 2/c 1 1|
15|-a1|-C 2xc|C 2/c|C 2/c 1 1|
15|-a2|-B 2xab|C 2/c|B 2/n 1 1|
15|-a3|-I 2xb|C 2/c|I 2/b 1 1|
16||P 2 2|P 2 2 2||
17||P 2c 2|P 2 2 2_1||
17|cab|P 2a 2a|P 2_1 2 2||
17|bca|P 2 2b|P 2 2_1 2||
18||P 2 2ab|P 2_1 2_1 2||
18|cab|P 2bc 2|P 2 2_1 2_1||
18|bca|P 2ac 2ac|P 2_1 2 2_1||
19||P 2ac 2ab|P 2_1 2_1 2_1||
20||C 2c 2|C 2 2 2_1||
20|cab|A 2a 2a|A 2_1 2 2||
20|bca|B 2 2b|B 2 2_1 2||
21||C 2 2|C 2 2 2||
21|cab|A 2 2|A 2 2 2||
21|bca|B 2 2|B 2 2 2||
22||F 2 2|F 2 2 2||
23||I 2 2|I 2 2 2||
24||I 2b 2c|I 2_1 2_1 2_1||
25||P 2 -2|P m m 2||
25|cab|P -2 2|P 2 m m||
25|bca|P -2 -2|P m 2 m||
26||P 2c -2|P m c 2_1||
26|ba-c|P 2c -2c|P c m 2_1||
26|cab|P -2a 2a|P 2_1 m a||
26|-cba|P -2 2a|P 2_1 a m||
26|bca|P -2 -2b|P b 2_1 m||
26|a-cb|P -2b -2|P m 2_1 b||
27||P 2 -2c|P c c 2||
27|cab|P -2a 2|P 2 a a||
27|bca|P -2b -2b|P b 2 b||
28||P 2 -2a|P m a 2||
28|ba-c|P 2 -2b|P b m 2||
28|cab|P -2b 2|P 2 m b||
28|-cba|P -2c 2|P 2 c m||
28|bca|P -2c -2c|P c 2 m||
28|a-cb|P -2a -2a|P m 2 a||
29||P 2c -2ac|P c a 2_1||
29|ba-c|P 2c -2b|P b c 2_1||
29|cab|P -2b 2a|P 2_1 a b||
29|-cba|P -2ac 2a|P 2_1 c a||
29|bca|P -2bc -2c|P c 2_1 b||
29|a-cb|P -2a -2ab|P b 2_1 a||
30||P 2 -2bc|P n c 2||
30|ba-c|P 2 -2ac|P c n 2||
30|cab|P -2ac 2|P 2 n a||
30|-cba|P -2ab 2|P 2 a n||
30|bca|P -2ab -2ab|P b 2 n||
30|a-cb|P -2bc -2bc|P n 2 b||
31||P 2ac -2|P m n 2_1||
31|ba-c|P 2bc -2bc|P n m 2_1||
31|cab|P -2ab 2ab|P 2_1 m n||
31|-cba|P -2 2ac|P 2_1 n m||
31|bca|P -2 -2bc|P n 2_1 m||
31|a-cb|P -2ab -2|P m 2_1 n||
32||P 2 -2ab|P b a 2||
32|cab|P -2bc 2|P 2 c b||
32|bca|P -2ac -2ac|P c 2 a||
33||P 2c -2n|P n a 2_1||
33|ba-c|P 2c -2ab|P b n 2_1||
33|cab|P -2bc 2a|P 2_1 n b||
33|-cba|P -2n 2a|P 2_1 c n||
33|bca|P -2n -2ac|P c 2_1 n||
33|a-cb|P -2ac -2n|P n 2_1 a||
34||P 2 -2n|P n n 2||
34|cab|P -2n 2|P 2 n n||
34|bca|P -2n -2n|P n 2 n||
35||C 2 -2|C m m 2||
35|cab|A -2 2|A 2 m m||
35|bca|B -2 -2|B m 2 m||
36||C 2c -2|C m c 2_1||
36|ba-c|C 2c -2c|C c m 2_1||
36|cab|A -2a 2a|A 2_1 m a||
36|-cba|A -2 2a|A 2_1 a m||
36|bca|B -2 -2b|B b 2_1 m||
36|a-cb|B -2b -2|B m 2_1 b||
37||C 2 -2c|C c c 2||
37|cab|A -2a 2|A 2 a a||
37|bca|B -2b -2b|B b 2 b||
38||A 2 -2|A m m 2||
38|ba-c|B 2 -2|B m m 2||
38|cab|B -2 2|B 2 m m||
38|-cba|C -2 2|C 2 m m||
38|bca|C -2 -2|C m 2 m||
38|a-cb|A -2 -2|A m 2 m||
39||A 2 -2b|A e m 2||A b m 2
39|ba-c|B 2 -2a|B m e 2||B m a 2
39|cab|B -2a 2|B 2 e m||B 2 c m
39|-cba|C -2a 2|C 2 m e||C 2 m b
39|bca|C -2a -2a|C m 2 e||C m 2 a
39|a-cb|A -2b -2b|A e 2 m||A c 2 m
40||A 2 -2a|A m a 2||
40|ba-c|B 2 -2b|B b m 2||
40|cab|B -2b 2|B 2 m b||
40|-cba|C -2c 2|C 2 c m||
40|bca|C -2c -2c|C c 2 m||
40|a-cb|A -2a -2a|A m 2 a||
41||A 2 -2ab|A e a 2||A b a 2
41|ba-c|B 2 -2ab|B b e 2||B b a 2
41|cab|B -2ab 2|B 2 e b||B 2 c b
41|-cba|C -2ac 2|C 2 c e||C 2 c b
41|bca|C -2ac -2ac|C c 2 e||C c 2 a
41|a-cb|A -2ab -2ab|A e 2 a||A c 2 a
42||F 2 -2|F m m 2||
42|cab|F -2 2|F 2 m m||
42|bca|F -2 -2|F m 2 m||
43||F 2 -2d|F d d 2||
43|cab|F -2d 2|F 2 d d||
43|bca|F -2d -2d|F d 2 d||
44||I 2 -2|I m m 2||
44|cab|I -2 2|I 2 m m||
44|bca|I -2 -2|I m 2 m||
45||I 2 -2c|I b a 2||
45|cab|I -2a 2|I 2 c b||
45|bca|I -2b -2b|I c 2 a||
46||I 2 -2a|I m a 2||
46|ba-c|I 2 -2b|I b m 2||
46|cab|I -2b 2|I 2 m b||
46|-cba|I -2c 2|I 2 c m||
46|bca|I -2c -2c|I c 2 m||
46|a-cb|I -2a -2a|I m 2 a||
47||-P 2 2|P m m m|P 2/m 2/m 2/m|
48|1|P 2 2 -1n|P n n n|P 2/n 2/n 2/n|
48|2|-P 2ab 2bc|P n n n|P 2/n 2/n 2/n|
49||-P 2 2c|P c c m|P 2/c 2/c 2/m|
49|cab|-P 2a 2|P m a a|P 2/m 2/a 2/a|
49|bca|-P 2b 2b|P b m b|P 2/b 2/m 2/b|
50|1|P 2 2 -1ab|P b a n|P 2/b 2/a 2/n|
50|2|-P 2ab 2b|P b a n|P 2/b 2/a 2/n|
50|1cab|P 2 2 -1bc|P n c b|P 2/n 2/c 2/b|
50|2cab|-P 2b 2bc|P n c b|P 2/n 2/c 2/b|
50|1bca|P 2 2 -1ac|P c n a|P 2/c 2/n 2/a|
50|2bca|-P 2a 2c|P c n a|P 2/c 2/n 2/a|
51||-P 2a 2a|P m m a|P 2_1/m 2/m 2/a|
51|ba-c|-P 2b 2|P m m b|P 2/m 2_1/m 2/b|
51|cab|-P 2 2b|P b m m|P 2/b 2_1/m 2/m|
51|-cba|-P 2c 2c|P c m m|P 2/c 2/m 2_1/m|
51|bca|-P 2c 2|P m c m|P 2/m 2/c 2_1/m|
51|a-cb|-P 2 2a|P m a m|P 2_1/m 2/a 2/m|
52||-P 2a 2bc|P n n a|P 2/n 2_1/n 2/a|
52|ba-c|-P 2b 2n|P n n b|P 2_1/n 2/n 2/b|
52|cab|-P 2n 2b|P b n n|P 2/b 2/n 2_1/n|
52|-cba|-P 2ab 2c|P c n n|P 2/c 2_1/n 2/n|
52|bca|-P 2ab 2n|P n c n|P 2_1/n 2/c 2/n|
52|a-cb|-P 2n 2bc|P n a n|P 2/n 2/a 2_1/n|
53||-P 2ac 2|P m n a|P 2/m 2/n 2_1/a|
53|ba-c|-P 2bc 2bc|P n m b|P 2/n 2/m 2_1/b|
53|cab|-P 2ab 2ab|P b m n|P 2_1/b 2/m 2/n|
53|-cba|-P 2 2ac|P c n m|P 2_1/c 2/n 2/m|
53|bca|-P 2 2bc|P n c m|P 2/n 2_1/c 2/m|
53|a-cb|-P 2ab 2|P m a n|P 2/m 2_1/a 2/n|
54||-P 2a 2ac|P c c a|P 2_1/c 2/c 2/a|
54|ba-c|-P 2b 2c|P c c b|P 2/c 2_1/c 2/b|
54|cab|-P 2a 2b|P b a a|P 2/b 2_1/a 2/a|
54|-cba|-P 2ac 2c|P c a a|P 2/c 2/a 2_1/a|
54|bca|-P 2bc 2b|P b c b|P 2/b 2/c 2_1/b|
54|a-cb|-P 2b 2ab|P b a b|P 2_1/b 2/a 2/b|
55||-P 2 2ab|P b a m|P 2_1/b 2_1/a 2/m|
55|cab|-P 2bc 2|P m c b|P 2/m 2_1/c 2_1/b|
55|bca|-P 2ac 2ac|P c m a|P 2_1/c 2/m 2_1/a|
56||-P 2ab 2ac|P c c n|P 2_1/c 2_1/c 2/n|
56|cab|-P 2ac 2bc|P n a a|P 2/n 2_1/a 2_1/a|
56|bca|-P 2bc 2ab|P b n b|P 2_1/b 2/n 2_1/b|
57||-P 2c 2b|P b c m|P 2/b 2_1/c 2_1/m|
57|ba-c|-P 2c 2ac|P c a m|P 2_1/c 2/a 2_1/m|
57|cab|-P 2ac 2a|P m c a|P 2_1/m 2/c 2_1/a|
57|-cba|-P 2b 2a|P m a b|P 2_1/m 2_1/a 2/b|
57|bca|-P 2a 2ab|P b m a|P 2_1/b 2_1/m 2/a|
57|a-cb|-P 2bc 2c|P c m b|P 2/c 2_1/m 2_1/b|
58||-P 2 2n|P n n m|P 2_1/n 2_1/n 2/m|
58|cab|-P 2n 2|P m n n|P 2/m 2_1/n 2_1/n|
58|bca|-P 2n 2n|P n m n|P 2_1/n 2/m 2_1/n|
59|1|P 2 2ab -1ab|P m m n|P 2_1/m 2_1/m 2/n|
59|2|-P 2ab 2a|P m m n|P 2_1/m 2_1/m 2/n|
59|1cab|P 2bc 2 -1bc|P n m m|P 2/n 2_1/m 2_1/m|
59|2cab|-P 2c 2bc|P n m m|P 2/n 2_1/m 2_1/m|
59|1bca|P 2ac 2ac -1ac|P m n m|P 2_1/m 2/n 2_1/m|
59|2bca|-P 2c 2a|P m n m|P 2_1/m 2/n 2_1/m|
60||-P 2n 2ab|P b c n|P 2_1/b 2/c 2_1/n|
60|ba-c|-P 2n 2c|P c a n|P 2/c 2_1/a 2_1/n|
60|cab|-P 2a 2n|P n c a|P 2_1/n 2_1/c 2/a|
60|-cba|-P 2bc 2n|P n a b|P 2_1/n 2/a 2_1/b|
60|bca|-P 2ac 2b|P b n a|P 2/b 2_1/n 2_1/a|
60|a-cb|-P 2b 2ac|P c n b|P 2_1/c 2_1/n 2/b|
61||-P 2ac 2ab|P b c a|P 2_1/b 2_1/c 2_1/a|
61|ba-c|-P 2bc 2ac|P c a b|P 2_1/c 2_1/a 2_1/b|
62||-P 2ac 2n|P n m a|P 2_1/n 2_1/m 2_1/a|
62|ba-c|-P 2bc 2a|P m n b|P 2_1/m 2_1/n 2_1/b|
62|cab|-P 2c 2ab|P b n m|P 2_1/b 2_1/n 2_1/m|
62|-cba|-P 2n 2ac|P c m n|P 2_1/c 2_1/m 2_1/n|
62|bca|-P 2n 2a|P m c n|P 2_1/m 2_1/c 2_1/n|
62|a-cb|-P 2c 2n|P n a m|P 2_1/n 2_1/a 2_1/m|
63||-C 2c 2|C m c m|C 2/m 2/c 2_1/m|
63|ba-c|-C 2c 2c|C c m m|C 2/c 2/m 2_1/m|
63|cab|-A 2a 2a|A m m a|A 2_1/m 2/m 2/a|
63|-cba|-A 2 2a|A m a m|A 2_1/m 2/a 2/m|
63|bca|-B 2 2b|B b m m|B 2/b 2_1/m 2/m|
63|a-cb|-B 2b 2|B m m b|B 2/m 2_1/m 2/b|
64||-C 2ac 2|C m c e|C 2/m 2/c 2_1/e|C m c a
64|ba-c|-C 2ac 2ac|C c m e|C 2/c 2/m 2_1/e|C c m b
64|cab|-A 2ab 2ab|A e m a|A 2_1/e 2/m 2/a|A b m a
64|-cba|-A 2 2ab|A e a m|A 2_1/e 2/a 2/m|A c a m
64|bca|-B 2 2ab|B b e m|B 2/b 2_1/e 2/m|B b c m
64|a-cb|-B 2ab 2|B m e b|B 2/m 2_1/e 2/b|B m a b
65||-C 2 2|C m m m|C 2/m 2/m 2/m|
65|cab|-A 2 2|A m m m|A 2/m 2/m 2/m|
65|bca|-B 2 2|B m m m|B 2/m 2/m 2/m|
66||-C 2 2c|C c c m|C 2/c 2/c 2/m|
66|cab|-A 2a 2|A m a a|A 2/m 2/a 2/a|
66|bca|-B 2b 2b|B b m b|B 2/b 2/m 2/b|
67||-C 2a 2|C m m e|C 2/m 2/m 2/e|C m m a
67|ba-c|-C 2a 2a|C m m e|C 2/m 2/m 2/e|C m m b
67|cab|-A 2b 2b|A e m m|A 2/e 2/m 2/m|A b m m
67|-cba|-A 2 2b|A e m m|A 2/e 2/m 2/m|A c m m
67|bca|-B 2 2a|B m e m|B 2/m 2/e 2/m|B m c m
67|a-cb|-B 2a 2|B m e m|B 2/m 2/e 2/m|B m a m
68|1|C 2 2 -1ac|C c c e|C 2/c 2/c 2/e|C c c a
68|2|-C 2a 2ac|C c c e|C 2/c 2/c 2/e|C c c a
68|1ba-c|C 2 2 -1ac|C c c e|C 2/c 2/c 2/e|C c c b
68|2ba-c|-C 2a 2c|C c c e|C 2/c 2/c 2/e|C c c b
68|1cab|A 2 2 -1ab|A e a a|A 2/e 2/a 2/a|A b a a
68|2cab|-A 2a 2b|A e a a|A 2/e 2/a 2/a|A b a a
68|1-cba|A 2 2 -1ab|A e a a|A 2/e 2/a 2/a|A c a a
68|2-cba|-A 2ab 2b|A e a a|A 2/e 2/a 2/a|A c a a
68|1bca|B 2 2 -1ab|B b e b|B 2/b 2/e 2/b|B b c b
68|2bca|-B 2ab 2b|B b e b|B 2/b 2/e 2/b|B b c b
68|1a-cb|B 2 2 -1ab|B b e b|B 2/b 2/e 2/b|B b a b
68|2a-cb|-B 2b 2ab|B b e b|B 2/b 2/e 2/b|B b a b
69||-F 2 2|F m m m|F 2/m 2/m 2/m|
70|1|F 2 2 -1d|F d d d|F 2/d 2/d 2/d|
70|2|-F 2uv 2vw|F d d d|F 2/d 2/d 2/d|
71||-I 2 2|I m m m|I 2/m 2/m 2/m|
72||-I 2 2c|I b a m|I 2/b 2/a 2/m|
72|cab|-I 2a 2|I m c b|I 2/m 2/c 2/b|
72|bca|-I 2b 2b|I c m a|I 2/c 2/m 2/a|
73||-I 2b 2c|I b c a|I 2/b 2/c 2/a|
73|ba-c|-I 2a 2b|I c a b|I 2/c 2/a 2/b|
74||-I 2b 2|I m m a|I 2/m 2/m 2/a|
74|ba-c|-I 2a 2a|I m m b|I 2/m 2/m 2/b|
74|cab|-I 2c 2c|I b m m|I 2/b 2/m 2/m|
74|-cba|-I 2 2b|I c m m|I 2/c 2/m 2/m|
74|bca|-I 2 2a|I m c m|I 2/m 2/c 2/m|
74|a-cb|-I 2c 2|I m a m|I 2/m 2/a 2/m|
75||P 4|P 4||
76||P 4w|P 4_1||
77||P 4c|P 4_2||
78||P 4cw|P 4_3||
79||I 4|I 4||
80||I 4bw|I 4_1||
81||P -4|P -4||
82||I -4|I -4||
83||-P 4|P 4/m||
84||-P 4c|P 4_2/m||
85|1|P 4ab -1ab|P 4/n||
85|2|-P 4a|P 4/n||
86|1|P 4n -1n|P 4_2/n||
86|2|-P 4bc|P 4_2/n||
87||-I 4|I 4/m||
88|1|I 4bw -1bw|I 4_1/a||
88|2|-I 4ad|I 4_1/a||
89||P 4 2|P 4 2 2||
90||P 4ab 2ab|P 4 2_1 2||
91||P 4w 2c|P 4_1 2 2||
92||P 4abw 2nw|P 4_1 2_1 2||
93||P 4c 2|P 4_2 2 2||
94||P 4n 2n|P 4_2 2_1 2||
95||P 4cw 2c|P 4_3 2 2||
96||P 4nw 2abw|P 4_3 2_1 2||
97||I 4 2|I 4 2 2||
98||I 4bw 2bw|I 4_1 2 2||
99||P 4 -2|P 4 m m||
100||P 4 -2ab|P 4 b m||
101||P 4c -2c|P 4_2 c m||
102||P 4n -2n|P 4_2 n m||
103||P 4 -2c|P 4 c c||
104||P 4 -2n|P 4 n c||
105||P 4c -2|P 4_2 m c||
106||P 4c -2ab|P 4_2 b c||
107||I 4 -2|I 4 m m||
108||I 4 -2c|I 4 c m||
109||I 4bw -2|I 4_1 m d||
110||I 4bw -2c|I 4_1 c d||
111||P -4 2|P -4 2 m||
112||P -4 2c|P -4 2 c||
113||P -4 2ab|P -4 2_1 m||
114||P -4 2n|P -4 2_1 c||
115||P -4 -2|P -4 m 2||
116||P -4 -2c|P -4 c 2||
117||P -4 -2ab|P -4 b 2||
118||P -4 -2n|P -4 n 2||
119||I -4 -2|I -4 m 2||
120||I -4 -2c|I -4 c 2||
121||I -4 2|I -4 2 m||
122||I -4 2bw|I -4 2 d||
123||-P 4 2|P 4/m m m|P 4/m 2/m 2/m|
124||-P 4 2c|P 4/m c c|P 4/m 2/c 2/c|
125|1|P 4 2 -1ab|P 4/n b m|P 4/n 2/b 2/m|
125|2|-P 4a 2b|P 4/n b m|P 4/n 2/b 2/m|
126|1|P 4 2 -1n|P 4/n n c|P 4/n 2/n 2/c|
126|2|-P 4a 2bc|P 4/n n c|P 4/n 2/n 2/c|
127||-P 4 2ab|P 4/m b m|P 4/m 2_1/b m|
128||-P 4 2n|P 4/m n c|P 4/m 2_1/n c|
129|1|P 4ab 2ab -1ab|P 4/n m m|P 4/n 2_1/m m|
129|2|-P 4a 2a|P 4/n m m|P 4/n 2_1/m m|
130|1|P 4ab 2n -1ab|P 4/n c c|P 4/n 2_1/c c|
130|2|-P 4a 2ac|P 4/n c c|P 4/n 2_1/c c|
131||-P 4c 2|P 4_2/m m c|P 4_2/m 2/m 2/c|
132||-P 4c 2c|P 4_2/m c m|P 4_2/m 2/c 2/m|
133|1|P 4n 2c -1n|P 4_2/n b c|P 4_2/n 2/b 2/c|
133|2|-P 4ac 2b|P 4_2/n b c|P 4_2/n 2/b 2/c|
134|1|P 4n 2 -1n|P 4_2/n n m|P 4_2/n 2/n 2/m|
134|2|-P 4ac 2bc|P 4_2/n n m|P 4_2/n 2/n 2/m|
135||-P 4c 2ab|P 4_2/m b c|P 4_2/m 2_1/b 2/c|
136||-P 4n 2n|P 4_2/m n m|P 4_2/m 2_1/n 2/m|
137|1|P 4n 2n -1n|P 4_2/n m c|P 4_2/n 2_1/m 2/c|
137|2|-P 4ac 2a|P 4_2/n m c|P 4_2/n 2_1/m 2/c|
138|1|P 4n 2ab -1n|P 4_2/n c m|P 4_2/n 2_1/c 2/m|
138|2|-P 4ac 2ac|P 4_2/n c m|P 4_2/n 2_1/c 2/m|
139||-I 4 2|I 4/m m m|I 4/m 2/m 2/m|
140||-I 4 2c|I 4/m c m|I 4/m 2/c 2/m|
141|1|I 4bw 2bw -1bw|I 4_1/a m d|I 4_1/a 2/m 2/d|
141|2|-I 4bd 2|I 4_1/a m d|I 4_1/a 2/m 2/d|
142|1|I 4bw 2aw -1bw|I 4_1/a c d|I 4_1/a 2/c 2/d|
142|2|-I 4bd 2c|I 4_1/a c d|I 4_1/a 2/c 2/d|
143||P 3|P 3||
144||P 31|P 3_1||
145||P 32|P 3_2||
146|H|R 3|R 3||
146|R|P 3*|R 3||
147||-P 3|P -3||
148|H|-R 3|R -3||
148|R|-P 3*|R -3||
149||P 3 2|P 3 1 2||
150||P 3 2"|P 3 2 1||
151||P 31 2 (0 0 4)|P 3_1 1 2||
152||P 31 2"|P 3_1 2 1||
153||P 32 2 (0 0 2)|P 3_2 1 2||
154||P 32 2"|P 3_2 2 1||
155|H|R 3 2"|R 3 2||
155|R|P 3* 2|R 3 2||
156||P 3 -2"|P 3 m 1||
157||P 3 -2|P 3 1 m||
158||P 3 -2"c|P 3 c 1||
159||P 3 -2c|P 3 1 c||
160|H|R 3 -2"|R 3 m||
160|R|P 3* -2|R 3 m||
161|H|R 3 -2"c|R 3 c||
161|R|P 3* -2n|R 3 c||
162||-P 3 2|P -3 1 m|P -3 1 2/m|
163||-P 3 2c|P -3 1 c|P -3 1 2/c|
164||-P 3 2"|P -3 m 1|P -3 2/m 1|
165||-P 3 2"c|P -3 c 1|P -3 2/c 1|
166|H|-R 3 2"|R -3 m|R -3 2/m|
166|R|-P 3* 2|R -3 m|R -3 2/m|
167|H|-R 3 2"c|R -3 c|R -3 2/c|
167|R|-P 3* 2n|R -3 c|R -3 2/c|
168||P 6|P 6||
169||P 61|P 6_1||
170||P 65|P 6_5||
171||P 62|P 6_2||
172||P 64|P 6_4||
173||P 6c|P 6_3||
174||P -6|P -6||
175||-P 6|P 6/m||
176||-P 6c|P 6_3/m||
177||P 6 2|P 6 2 2||
178||P 61 2 (0 0 5)|P 6_1 2 2||
179||P 65 2 (0 0 1)|P 6_5 2 2||
180||P 62 2 (0 0 4)|P 6_2 2 2||
181||P 64 2 (0 0 2)|P 6_4 2 2||
182||P 6c 2c|P 6_3 2 2||
183||P 6 -2|P 6 m m||
184||P 6 -2c|P 6 c c||
185||P 6c -2|P 6_3 c m||
186||P 6c -2c|P 6_3 m c||
187||P -6 2|P -6 m 2||
188||P -6c 2|P -6 c 2||
189||P -6 -2|P -6 2 m||
190||P -6c -2c|P -6 2 c||
191||-P 6 2|P 6/m m m|P 6/m 2/m 2/m|
192||-P 6 2c|P 6/m c c|P 6/m 2/c 2/c|
193||-P 6c 2|P 6_3/m c m|P 6_3/m 2/c 2/m|
194||-P 6c 2c|P 6_3/m m c|P 6_3/m 2/m 2/c|
195||P 2 2 3|P 2 3||
196||F 2 2 3|F 2 3||
197||I 2 2 3|I 2 3||
198||P 2ac 2ab 3|P 2_1 3||
199||I 2b 2c 3|I 2_1 3||
200||-P 2 2 3|P m -3|P 2/m -3|
201|1|P 2 2 3 -1n|P n -3|P 2/n -3|
201|2|-P 2ab 2bc 3|P n -3|P 2/n -3|
202||-F 2 2 3|F m -3|F 2/m -3|
203|1|F 2 2 3 -1d|F d -3|F 2/d -3|
203|2|-F 2uv 2vw 3|F d -3|F 2/d -3|
204||-I 2 2 3|I m -3|I 2/m -3|
205||-P 2ac 2ab 3|P a -3|P 2_1/a -3|
206||-I 2b 2c 3|I a -3|I 2_1/a -3|
207||P 4 2 3|P 4 3 2||
208||P 4n 2 3|P 4_2 3 2||
209||F 4 2 3|F 4 3 2||
210||F 4d 2 3|F 4_1 3 2||
211||I 4 2 3|I 4 3 2||
212||P 4acd 2ab 3|P 4_3 3 2||
213||P 4bd 2ab 3|P 4_1 3 2||
214||I 4bd 2c 3|I 4_1 3 2||
215||P -4 2 3|P -4 3 m||
216||F -4 2 3|F -4 3 m||
217||I -4 2 3|I -4 3 m||
218||P -4n 2 3|P -4 3 n||
219||F -4a 2 3|F -4 3 c||
220||I -4bd 2c 3|I -4 3 d||
221||-P 4 2 3|P m -3 m|P 4/m -3 2/m|
222|1|P 4 2 3 -1n|P n -3 n|P 4/n -3 2/n|
222|2|-P 4a 2bc 3|P n -3 n|P 4/n -3 2/n|
223||-P 4n 2 3|P m -3 n|P 4_2/m -3 2/n|
224|1|P 4n 2 3 -1n|P n -3 m|P 4_2/n -3 2/m|
224|2|-P 4bc 2bc 3|P n -3 m|P 4_2/n -3 2/m|
225||-F 4 2 3|F m -3 m|F 4/m -3 2/m|
226||-F 4a 2 3|F m -3 c|F 4/m -3 2/c|
227|1|F 4d 2 3 -1d|F d -3 m|F 4_1/d -3 2/m|
227|2|-F 4vw 2vw 3|F d -3 m|F 4_1/d -3 2/m|
228|1|F 4d 2 3 -1ad|F d -3 c|F 4_1/d -3 2/c|
228|2|-F 4ud 2vw 3|F d -3 c|F 4_1/d -3 2/c|
229||-I 4 2 3|I m -3 m|I 4/m -3 2/m|
230||-I 4bd 2c 3|I a -3 d|I 4_1/a -3 2/d|
`
