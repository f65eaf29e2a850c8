"""STORIES: two short texts written for Headscope, from which a lesson learns small vocabularies. No torch."""

from __future__ import annotations

ENGLISH = """\
An old reader lived by the river, and a young writer lived on the hill. The reader read all day: he read
letters, he read newspapers, and he had read every book in the village. The writer wrote all night. She
wrote about readers, about writing, and about the unreadable books of her father. One evening the reader
walked up the hill. He walked slowly, for he was an old walker, and the walking was hard. "I have read
everything," said the reader, "and nothing was new. Write me something that nobody has written before."
"That is impossible," said the writer, "but impossible things are the most believable ones in a story."
So she began. She wrote of a baker who baked unbreakable bread, and of a painter who painted unbelievable
paintings. She wrote of a singer who was singing in the rain, and of a dancer who danced until the
dancing broke the floor. She wrote of workers who worked, of players who played, and of a teacher who
taught the teachers how to teach. "Is it readable?" asked the writer. "It is readable," said the reader,
"but I do not believe in the bread." "Believing comes later," said the writer. "First you break the
bread, then you believe that it was unbreakable." The reader laughed. His laughter was so loud that the
sleepers in the village stopped sleeping and began to listen. They listened to the reading of the reader,
and the listeners asked for more: more bread, more painting, more rain. The next day the writer wrote of
hope. The hopeful were hoping, the hopeless were not, and a helper helped them all. She wrote of a
careful driver who drove carefully, and of a careless driver who was driving without a care. She wrote of
kindness and of darkness, of friendship and of hardship, of a kind friend and of an unkind one. The
villagers walked up the hill to hear it, quickly in the morning and slowly in the evening. The children
were playing, the dogs were barking, and the old reader was reading in the light of the window. "Will
there be an ending?" asked a child. "Every beginning has an ending," said the writer, "but not every
ending is the end of the writing." Then she put down her pen, and the reader began to read it all again
from the beginning.
"""

CHINESE = """\
河边住着一位老读者，山上住着一位年轻的作者。
读者整天读书：他读信，读报纸，村子里的书他都读过了。
作者整夜写作。她写读者，写写作，也写父亲那些读不懂的书。
一天晚上，读者走上山去。他走得很慢，因为他老了，山路又难走。
读者说：“我什么书都读过了，没有一本是新的。请你给我写一本谁也没有写过的书。”
作者说：“这不可能，可是在故事里，不可能的事情最可信。”
于是她开始写。她写一个面包师傅，烤出了打不破的面包；她写一个画家，画出了不可相信的画。
她写一个歌手在雨里唱歌，写一个舞者跳舞，一直跳到地板跳破了为止。
她写工人工作，写孩子玩耍，写一位老师教老师们怎样教书。
作者问：“这本书好读吗？”读者说：“好读，可是我不相信那个面包。”
作者说：“相信是以后的事情。你先把面包打破，然后才会相信它打不破。”
读者大笑起来。笑声很大，村子里睡觉的人都不睡觉了，开始听他读书。
他们听读者读书，听了还想再听：还要面包，还要画，还要雨。
第二天，作者写希望。有希望的人希望着，没有希望的人不希望，有一个好人帮助了他们。
她写一个小心的司机小心地开车，又写一个不小心的司机不小心地开车。
村子里的人走上山来听故事，早上走得很快，晚上走得很慢。
孩子们在玩耍，小狗在叫，老读者在窗户的灯光里读书。
孩子问：“这个故事有结尾吗？”作者说：“每个开头都有结尾，可是结尾不一定是写作的结束。”
然后她放下了笔，读者又从开头开始读这本书。
"""
