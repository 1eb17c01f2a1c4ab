package intent
import ("testing";"fmt";"os")
func missTop(all []*trained){
 f,_:=os.Create("/tmp/miss.txt"); defer f.Close()
 for _,l:=range all{
  if l.foreign||len(l.wanted)!=1{continue}
  best:=-1
  for i:=range l.p{ if !l.maybe[l.tools[l.candidates[i]].Name]&&(best<0||l.p[i]>l.p[best]){best=i}}
  if best<0||l.wanted[l.tools[l.candidates[best]].Name]{continue}
  w:="" ; for k:=range l.wanted{w=k}
  d:=""; for _,t:=range l.tools{ if t.Name==w{d=t.Description}}
  fmt.Fprintf(f,"%s|%s|%.200s || WANT %s: %.120s || GOT %s (%.2f) || P: %.150s\n",l.set,l.source,l.user,w,d,l.tools[l.candidates[best]].Name,l.p[best],l.previous)
 }
}
var _ = testing.Short
